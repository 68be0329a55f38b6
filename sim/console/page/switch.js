// @ts-check
import { h } from './preact.js';

/**
 * What is on or off.
 * @param {string} name
 * @param {boolean} isOn
 * @param {() => void} turn
 */
export const switched = (name, isOn, turn) =>
  h('button', { type: 'button', role: 'switch', 'aria-checked': isOn, class: 'switch', onClick: turn }, name);
