import { benchNormalize } from './normalize.ts';
import { benchPayloads } from './payloads.ts';

console.log(benchPayloads());
console.log(benchNormalize());
