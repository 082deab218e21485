// The names of what agents and swarms implement for their base class: symbols, because declarations leave these methods
// out, and a user's subclass would override a string's method unnoticed.

/** The scope's own tools with those of its sources. */
export const listAllTools: unique symbol = Symbol('svc.listAllTools');
/** The private data of the scope and its members. */
export const ownPrivateData: unique symbol = Symbol('svc.ownPrivateData');
/** The tools that may depend on agents besides the members. */
export const askingTools: unique symbol = Symbol('svc.askingTools');
/** The client of the scope's runs. */
export const clientOfRuns: unique symbol = Symbol('svc.clientOfRuns');
/** Prepares the session of a run. */
export const prepareRun: unique symbol = Symbol('svc.prepareRun');
