import { benchEmit } from './emit.ts';
import { benchFanOut } from './fan-out.ts';
import { benchGrowth } from './growth.ts';
import { benchMemory } from './memory.ts';
import { benchReplay } from './replay.ts';

const benches = {
  emit: benchEmit,
  'fan-out': benchFanOut,
  replay: benchReplay,
  memory: benchMemory,
  growth: benchGrowth,
};
const asked = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length === 0 || asked.includes(name)) console.log(await bench());
}
