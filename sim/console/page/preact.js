/** In the browser this address is preact itself, as it is installed: see console-server.ts. */
export { Component, createRef, h, render } from 'preact';
