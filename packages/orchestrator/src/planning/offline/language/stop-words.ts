const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that say nothing about what is wanted. */
export const stopWords: ReadonlySet<string> = words(`
  a an the this that these those there here it its they them their he she his her i me my mine we us our you your
  is are was were be been being am do does did doing done has have had having will would shall should can could may
  might must of in on at to from for with by as into onto over about within inside under below through per via
  and or but nor so if then than because while also too very just only even please kindly thanks thank hello hi hey
  what which who whom whose when where why how any all some each every both either neither no not none
  such other another same own more less much many few little lot lots thing things something anything everything
  up down out off again once ever still already yet now okay ok well let lets want wants like need needs know
  tell give gives get gets got make makes made use used using uses go goes put take look see say
  i'm i'd i've i'll it's what's who's where's that's there's don't doesn't didn't can't won't isn't aren't wasn't
  using e.g i.e etc`);

/** Verbs that ask for something without saying what. They do not count in a tool's name either. */
export const weakWords: ReadonlySet<string> = words(
  'get make do run use call execute perform handle process tool agent invoke',
);
