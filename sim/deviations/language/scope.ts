/** What a row can name: by a path such as `given.mid`, `target.ri` or `shown.cni`. */
import { isObject } from '../../dialects/body.ts';

export type Parts = Readonly<Record<string, () => unknown>>;

/** The parts by their names; each is made once, when somebody first asks for it. */
export class Scope {
  readonly #parts: Parts;
  readonly #outer: ((name: string) => Found | undefined) | undefined;
  readonly #made = new Map<string, Found>();

  readonly #keeps: boolean;

  /** `outer` is asked for what is not among the parts; without `keeps` each time anew. */
  constructor(parts: Parts, outer?: (name: string) => Found | undefined, keeps = true) {
    this.#parts = parts;
    this.#outer = outer;
    this.#keeps = keeps;
  }

  find(name: string): Found | undefined {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const make = Object.hasOwn(this.#parts, name) ? this.#parts[name] : undefined;
    const found = make === undefined ? this.#outer?.(name) : { value: make() };
    if (found !== undefined && this.#keeps) this.#made.set(name, found);
    return found;
  }

  /** With these parts too, or in place of those that it has. */
  with(parts: Parts): Scope {
    return new Scope(parts, (name) => this.find(name));
  }

  /** With a part that may have another value each time. */
  withLive(parts: Parts): Scope {
    return new Scope(parts, (name) => this.find(name), false);
  }
}

/** Nothing can be named. */
export const nothing = new Scope({});

/** A part that there is, be its value undefined. */
interface Found {
  readonly value: unknown;
}

/** What stands at a path: the longest part that there is, then names and places in lists. Undefined where nothing does. */
export function at(path: string, scope: Scope): unknown {
  const names = path.split('.');
  for (let count = names.length; count > 0; count--) {
    const part = scope.find(names.slice(0, count).join('.'));
    if (part !== undefined) return names.slice(count).reduce<unknown>(inner, part.value);
  }
  return undefined;
}

/** What has this name in a value; behind a list, a number is a place (-1 the last), and a name leads to what stands there in all of them. */
export function inner(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    if (name === 'length') return value.length;
    if (/^-?\d+$/.test(name)) return value.at(Number(name));
    return value.flatMap((one) => inner(one, name) ?? []);
  }
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text with the values of what stands in `${path}` in it. */
export function filled(text: string, scope: Scope, written: (value: string) => string = String): string {
  return text.replace(/\$\{([^}]+)\}/g, (_whole, path: string) => written(String(at(path, scope) ?? '')));
}
