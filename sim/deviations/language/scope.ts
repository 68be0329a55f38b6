/** Values that a row can name by a path such as `requested.mid`, `target.ri` or `returned.cni`. */
import { isObject } from '../../dialects/body.ts';

export type Parts = Readonly<Record<string, () => unknown>>;

/** Parts by name; each is evaluated once, at first use. */
export class Scope {
  readonly #parts: Parts;
  readonly #outer: ((name: string) => Found | undefined) | undefined;
  readonly #made = new Map<string, Found>();

  readonly #keeps: boolean;

  /** `outer` supplies other parts; without `keeps`, values are evaluated each time. */
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

  /** With these parts added or replaced. */
  with(parts: Parts): Scope {
    return new Scope(parts, (name) => this.find(name));
  }

  /** With parts that may change. */
  withLive(parts: Parts): Scope {
    return new Scope(parts, (name) => this.find(name), false);
  }
}

/** The empty scope. */
export const nothing = new Scope({});

/** An existing part, even if its value is undefined. */
interface Found {
  readonly value: unknown;
}

/** The value at a path: the longest known part, then names and list positions. Undefined without one. */
export function at(path: string, scope: Scope): unknown {
  const names = path.split('.');
  for (let count = names.length; count > 0; count--) {
    const part = scope.find(names.slice(0, count).join('.'));
    if (part !== undefined) return names.slice(count).reduce<unknown>(inner, part.value);
  }
  return undefined;
}

/** The member of this name; in a list, a number is a position (-1 the last), and a name selects that member of all elements. */
export function inner(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    if (name === 'length') return value.length;
    if (/^-?\d+$/.test(name)) return value.at(Number(name));
    return value.flatMap((one) => inner(one, name) ?? []);
  }
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text with the value of each `${path}` filled in. */
export function filled(text: string, scope: Scope, written: (value: string) => string = String): string {
  return text.replace(/\$\{([^}]+)\}/g, (_whole, path: string) => written(String(at(path, scope) ?? '')));
}
