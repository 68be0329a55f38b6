/** In the browser this address is preact itself, as it is installed: see page-files.ts. */
export { Component, createRef, h, render } from 'preact';
