import * as z from 'zod';
import { dependsOnTool, toolify, type Tool } from '../../src/index.js';

declare const findOrder: Tool<{ id: string } | undefined>;

const tool = { description: 'x', input: z.object({ name: z.string() }) };

/** A tool is called with one object: `({ ...input, ...injected }, context)`. */
export class OneObject {
  // @ts-expect-error the arguments are one object, not a string
  @toolify(tool)
  positional(name: string) {
    return name;
  }

  // @ts-expect-error the arguments are one object, not a list
  @toolify(tool)
  list(names: string[]) {
    return names;
  }

  // @ts-expect-error nor is it an optional string
  @toolify(tool)
  optional(name?: string) {
    return name;
  }

  // @ts-expect-error the name is a string, even if the object is optional
  @toolify(tool)
  optionalMisfit(args?: { name: number }) {
    return args;
  }

  @toolify(tool)
  optionalObject(args?: { name: string; injected?: number }) {
    return args;
  }

  @toolify(tool)
  none() {
    return 1;
  }

  @toolify(tool)
  untyped(args: unknown) {
    return args;
  }

  @toolify(tool)
  generic<Args>(args: Args) {
    return args;
  }
}

/** The method has to accept every value that is injected. */
export class EveryValue {
  // @ts-expect-error there may be no order
  @dependsOnTool(findOrder, 'order')
  presentOrder(args: { order: { id: string } }) {
    return args;
  }

  @dependsOnTool(findOrder, 'order')
  anyOrder(args: { order: { id: string } | undefined }) {
    return args;
  }
}

/** Only a toolset's public instance methods are tools. */
export class InstanceMethods {
  // @ts-expect-error a private method cannot be collected
  @toolify(tool)
  #hidden(args: { name: string }) {
    return args;
  }

  // @ts-expect-error a static method has no instance
  @toolify(tool)
  static shared(args: { name: string }) {
    return args;
  }

  // @ts-expect-error nor is one injected
  @dependsOnTool(findOrder, 'order')
  static injected(args: { order: unknown }) {
    return args;
  }

  use() {
    return this.#hidden({ name: 'x' });
  }
}

/** A tool referred to by its name: the method says what type its result has, in an argument of that name. */
export class ByName {
  @dependsOnTool('find', 'order')
  named(args: { order: { id: string } }) {
    return args;
  }

  // @ts-expect-error there is no argument of this name
  @dependsOnTool('find', 'ordr')
  misnamed(args: { order: { id: string } }) {
    return args;
  }

  // @ts-expect-error the method declares the type, not the decorator
  @dependsOnTool<{ id: string }>('find', 'order')
  typed(args: { order: { id: string } }) {
    return args;
  }
}
