import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LetterTree } from '../../src/matching/letter-tree.js';

/** Returns the node that letters lead to; negative if there is none. */
function nodeAt(tree: LetterTree, units: readonly number[]): number {
  let node = 0;
  for (const unit of units) if (node >= 0) node = tree.child(node, unit);
  return node;
}

const letters = fc.array(fc.constantFrom(0, 1, 2, 0xff_ff), { minLength: 1, maxLength: 6 });
const prefixesOf = (patterns: readonly number[][]) =>
  patterns.flatMap((units) => units.map((_, i) => units.slice(0, i + 1)));

it('has a node for every prefix of what was added, and no other nodes', () => {
  fc.assert(
    fc.property(
      fc.array(letters, { maxLength: 8 }),
      fc.array(letters, { maxLength: 8 }),
      (added, queried) => {
        const tree = new LetterTree();
        for (const units of added) tree.add(0, units);
        const known = new Set(prefixesOf(added).map(String));
        for (const units of [...prefixesOf(added), ...queried]) {
          const node = nodeAt(tree, units);
          expect(node >= 0).toBe(known.has(String(units)));
          if (node < 0) continue;
          expect(tree.depthOf(node)).toBe(units.length);
          const hasLonger = [...known].some((other) => other.startsWith(`${String(units)},`));
          expect(tree.isInner(node)).toBe(hasLonger);
        }
        expect(tree.isInner(0)).toBe(added.length > 0);
      },
    ),
  );
});

it('lists the nodes that a letter leads to, each once and in order', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 8 }), (added) => {
      const tree = new LetterTree();
      for (const units of added) tree.add(0, units);
      const all = new Map(prefixesOf(added).map((units) => [String(units), units]));
      for (const unit of [0, 1, 2, 0xff_ff]) {
        const wanted = [...all.values()].filter((units) => units.at(-1) === unit);
        const listed: number[] = [];
        for (let node = tree.nextWith(unit, 0); node >= 0; node = tree.nextWith(unit, node))
          listed.push(node);
        expect(listed).toEqual(wanted.map((units) => nodeAt(tree, units)).toSorted((a, b) => a - b));
      }
    }),
  );
});

it('returns the first value that ends at each node', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 8 }), (added) => {
      const tree = new LetterTree();
      added.forEach((units, id) => tree.markValue(tree.add(0, units), id));
      for (const units of prefixesOf(added)) {
        const id = added.findIndex((other) => String(other) === String(units));
        expect(tree.valueAt(nodeAt(tree, units))).toBe(id < 0 ? undefined : id);
      }
    }),
  );
});

it('marks where a kept text ends', () => {
  const tree = new LetterTree();
  tree.markKept(tree.add(0, [1, 2, 3]));
  expect([1, 2, 3].map((node) => tree.isKeptAt(node))).toEqual([false, false, true]);
});
