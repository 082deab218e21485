/** Words of one line mean the same. */
const meanings = [
  ['zebra', 'striped', 'horse'],
  ['refund', 'money', 'payback'],
  ['rain', 'weather'],
];

/** The vector of a text: near those of texts that mean the same. */
export const vectorOf = (text: string): number[] => {
  const vector = meanings.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length);
  return [...vector, 0.1];
};
