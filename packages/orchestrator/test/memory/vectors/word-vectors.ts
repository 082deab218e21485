/** The words on a line have the same meaning. */
const meanings = [
  ['zebra', 'striped', 'horse'],
  ['refund', 'money', 'payback'],
  ['rain', 'weather'],
];

/** Returns the vector of a text, close to those of texts with the same meaning. */
export const vectorOf = (text: string): number[] => {
  const vector = meanings.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length);
  return [...vector, 0.1];
};
