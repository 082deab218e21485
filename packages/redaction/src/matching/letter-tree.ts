import { countUpTo } from './count-up-to.js';

const UNIT_RANGE = 0x1_0000;
const FIRST_CAPACITY = 256;

/** The parent is the previous node. */
const IS_CHAINED = 1;
/** There are children other than the next node. */
const HAS_BRANCHES = 2;
const IS_VALUE = 4;
const IS_KEPT = 8;

/**
 * Patterns as a tree of letters. A node is a number, the root is 0. Letters that only one pattern has are stored in a
 * row, at three bytes each, so that even a value of megabytes takes only a few bytes per letter.
 */
export class LetterTree {
  /** By node: the letter that leads to it. */
  #units = new Uint16Array(FIRST_CAPACITY);
  #flags = new Uint8Array(FIRST_CAPACITY);
  #size = 1;
  readonly #branches = new Map<number, number>();
  /** The nodes where values end, in ascending order, and the ids of those values. */
  readonly #valueNodes: number[] = [];
  readonly #valueIds: number[] = [];
  /** The ids of values that were marked after one at a later node. */
  readonly #insertedIds = new Map<number, number>();
  /** The first node of each row, and its depth. */
  readonly #rowStarts: number[] = [0];
  readonly #rowDepths: number[] = [0];

  /** Returns the node that these letters lead to from a node, and creates the missing nodes. */
  add(fromNode: number, units: ArrayLike<number>): number {
    let node = fromNode;
    let at = 0;
    for (; at < units.length; at += 1) {
      const next = this.child(node, units[at] ?? 0);
      if (next < 0) break;
      node = next;
    }
    return at === units.length ? node : this.#addRow(node, units, at);
  }

  #addRow(parent: number, units: ArrayLike<number>, from: number): number {
    const start = this.#size;
    const count = units.length - from;
    this.#reserve(start + count);
    for (let i = 0; i < count; i += 1) this.#units[start + i] = units[from + i] ?? 0;
    this.#flags.fill(IS_CHAINED, start, start + count);
    this.#size += count;
    if (parent !== start - 1) {
      this.#branches.set(parent * UNIT_RANGE + (units[from] ?? 0), start);
      this.#flags[start] = 0;
      this.#flags[parent] = this.#flagsOf(parent) | HAS_BRANCHES;
      this.#rowStarts.push(start);
      this.#rowDepths.push(this.depthOf(parent) + 1);
    }
    return start + count - 1;
  }

  /** Makes room for this many nodes and one more, because the node after the last one is read too. */
  #reserve(size: number): void {
    if (size < this.#units.length) return;
    const capacity = Math.max(size + 1, this.#units.length + (this.#units.length >> 1));
    const [units, flags] = [new Uint16Array(capacity), new Uint8Array(capacity)];
    units.set(this.#units);
    flags.set(this.#flags);
    this.#units = units;
    this.#flags = flags;
  }

  /** Returns the node that a letter leads to from a node; negative if there is none. */
  child(node: number, unit: number): number {
    const next = node + 1;
    if (this.#units[next] === unit && (this.#flagsOf(next) & IS_CHAINED) !== 0) return next;
    if ((this.#flagsOf(node) & HAS_BRANCHES) === 0) return -1;
    return this.#branches.get(node * UNIT_RANGE + unit) ?? -1;
  }

  /** Whether a node has children. */
  isInner(node: number): boolean {
    return ((this.#flagsOf(node) & HAS_BRANCHES) | (this.#flagsOf(node + 1) & IS_CHAINED)) !== 0;
  }

  /** Returns the number of letters that lead to a node. */
  depthOf(node: number): number {
    const row = countUpTo(this.#rowStarts, node) - 1;
    return (this.#rowDepths[row] ?? 0) + node - (this.#rowStarts[row] ?? 0);
  }

  /** Returns the first node after this one that the letter leads to, from any node; negative if there is none. */
  nextWith(unit: number, node: number): number {
    const next = this.#units.indexOf(unit, node + 1);
    return next < this.#size ? next : -1;
  }

  /** Marks that a value ends at this node. Of equal values, the first one counts. */
  markValue(node: number, id: number): void {
    if ((this.#flagsOf(node) & IS_VALUE) !== 0) return;
    this.#flags[node] = this.#flagsOf(node) | IS_VALUE;
    if (node > (this.#valueNodes.at(-1) ?? 0)) {
      this.#valueNodes.push(node);
      this.#valueIds.push(id);
    } else this.#insertedIds.set(node, id);
  }

  /** Marks that a kept text ends at this node. */
  markKept(node: number): void {
    this.#flags[node] = this.#flagsOf(node) | IS_KEPT;
  }

  /** Returns the id of the value that ends at this node. */
  valueAt(node: number): number | undefined {
    if ((this.#flagsOf(node) & IS_VALUE) === 0) return undefined;
    return this.#insertedIds.get(node) ?? this.#valueIds[countUpTo(this.#valueNodes, node) - 1];
  }

  /** Whether a kept text ends at this node. */
  isKeptAt(node: number): boolean {
    return (this.#flagsOf(node) & IS_KEPT) !== 0;
  }

  #flagsOf(node: number): number {
    return this.#flags[node] ?? 0;
  }
}
