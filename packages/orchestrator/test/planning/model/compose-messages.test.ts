import { describe, expect, it } from 'vitest';
import { composeMessages } from '../../../src/planning/model/compose-messages.js';
import { composeInstructions } from '../../../src/planning/model/instructions.js';
import { ToolNames } from '../../../src/planning/model/tool-names.js';
import type { PlanAttachment, PlanContext, RecordedStep } from '../../../src/planning/plan-context.js';
import { planLimits } from '../../../src/planning/policy/plan-limits.js';
import {
  callStep,
  constraints,
  okCall,
  planContext,
  privateValue,
  resultOf,
  swarmMember,
  toolsOf,
} from '../plan-fixtures.js';

/** The content of a message with only this file. */
const attached = (file: Omit<PlanAttachment, 'name'>) =>
  messagesOf(
    planContext({ messages: [{ role: 'user', content: '', attachments: [{ name: 'x', ...file }] }] }),
  )[0]?.content;

const messagesOf = (context: PlanContext) => composeMessages(context, new ToolNames(context));
const afterSteps = (...steps: RecordedStep[]) =>
  messagesOf(planContext({ tools: toolsOf({ name: 'a' }, { name: 'b' }), steps })).slice(1);

describe('composeMessages', () => {
  it('puts earlier turns first, then memory, then the current turn', () => {
    const messages = messagesOf(
      planContext({
        messages: [
          { role: 'user', content: 'one' },
          { role: 'assistant', content: 'two' },
          { role: 'assistant', content: '' },
          { role: 'tool', content: 'three' },
          { role: 'user', content: 'four' },
        ],
        turn_start: 4,
        memory: [{ kind: 'insight', id: 'i', title: 'lesson', text: 'five' }],
      }),
    );
    expect(messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: '[result of an earlier tool call]\nthree' },
      { role: 'user', content: expect.stringContaining('five') },
      { role: 'user', content: 'four' },
    ]);
  });

  it('shortens a very long result', () => {
    const [, tool] = afterSteps(callStep(okCall('a', 'x'.repeat(100_000))));
    expect(JSON.stringify(tool).length).toBeLessThan(61_000);
    expect(JSON.stringify(tool)).toContain('more characters');
  });

  it('never cuts an emoji in half, because services reject lone surrogates', () => {
    const [, tool] = afterSteps(callStep(okCall('a', '😀'.repeat(50_000))));
    // Of 100,002 characters including quotes, the first 60,000 would end in half an emoji.
    expect(JSON.stringify(tool)).toMatch(/😀… \(40003 more characters\)/);
  });

  it('shows attachments as text, as files, or by name and type only', () => {
    const attachments = [
      { name: 'a.txt', mime_type: 'text/plain', text: 'hello' },
      { name: 'b.png', mime_type: 'image/png', content_base64: 'AAAA' },
      { name: 'c.zip', mime_type: 'application/zip', content_base64: 'AAAA' },
      { name: 'd.svg', mime_type: 'image/svg+xml', content_base64: 'AAAA' },
    ];
    const [message] = messagesOf(planContext({ messages: [{ role: 'user', content: 'Look', attachments }] }));
    expect(message).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'text', text: '[a.txt]\nhello' },
        { type: 'file', data: 'AAAA', mediaType: 'image/png', filename: 'b.png' },
        { type: 'text', text: '[attachment c.zip, application/zip]' },
        { type: 'text', text: '[attachment d.svg, image/svg+xml]' },
      ],
    });
  });

  it.each([
    ['text/plain', 'The code is 7.', 'The code is 7.'],
    ['Application/JSON; charset=utf-8', '{"é":1}', '{"é":1}'],
    ['text/csv', 'a,b', 'a,b'],
    ['text/plain', '€'.repeat(200_000), `${'€'.repeat(60_000)}… (the rest is not shown)`],
  ])('shows the text in the base64 of %s', (mime_type, content, shown) => {
    expect(attached({ mime_type, content_base64: Buffer.from(content).toString('base64') })).toEqual([
      { type: 'text', text: `[x]\n${shown}` },
    ]);
  });

  it('shows only the name and type of a text that is not UTF-8', () => {
    const content_base64 = Buffer.from('Grüße', 'latin1').toString('base64');
    expect(attached({ mime_type: 'text/plain', content_base64 })).toEqual([
      { type: 'text', text: '[attachment x, text/plain]' },
    ]);
  });

  it('sends no blank text, because services reject it', () => {
    const file = { name: 'b.png', mime_type: 'image/png', content_base64: 'AAAA' };
    const messages = messagesOf(
      planContext({
        messages: [
          { role: 'user', content: '' },
          { role: 'assistant', content: '\n' },
          { role: 'user', content: ' ', attachments: [file] },
        ],
        turn_start: 2,
        steps: [
          { ...callStep(okCall('a')), text: '\n\n' },
          { type: 'feedback', rejected: { type: 'finish', text: ' ' }, problems: ['No.'] },
        ],
      }),
    );
    expect(messages).toMatchObject([
      { role: 'user', content: '(no text)' },
      { role: 'user', content: [{ type: 'file' }] },
      { role: 'assistant', content: [{ type: 'tool-call' }] },
      { role: 'tool' },
      { role: 'user' },
    ]);
  });
});

describe('composeInstructions', () => {
  const instructionsOf = (context: PlanContext) =>
    composeInstructions(context, planLimits(context), new ToolNames(context));

  it('includes the system message, tool order, private values, the date and the tools still to run', () => {
    const text = instructionsOf(
      planContext({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        tools: toolsOf(
          { name: 'load' },
          {
            name: 'sum',
            properties: { x: resultOf('load'), k: privateValue('key') },
            required: ['x', 'k'],
            final_tool: true,
          },
        ),
        private_data: [{ data_key: 'key', label: 'Signing key' }],
        constraints: constraints({ force_final_tool: true }),
        timezone: 'Asia/Tokyo',
      }),
    );
    for (const said of [
      'Be brief.',
      'sum takes the result of: load',
      'key: Signing key',
      'Wednesday, 18 March 2026 at 19:00 (Asia/Tokyo)',
      'load is needed by sum',
      'sum makes the final result',
    ])
      expect(text).toContain(said);
  });

  it('lists the members of a swarm with their tool names', () => {
    const swarm = {
      swarm_has_final_tool: false,
      swarm_name: 'Desk',
      description: 'Helps',
      members: [swarmMember('a', { description: 'Finds' }), swarmMember('b', { use_as_final_output: true })],
    };
    const tools = toolsOf({ name: 'a' }, { name: 'b' });
    const text = instructionsOf(planContext({ tools, constraints: constraints({ swarm }) }));
    expect(text).toContain('You lead the team “Desk”: Helps.');
    expect(text).toContain('\n- a: Finds\n- b: b (gives the final answer)');
  });

  it('leaves out the sections that do not apply', () => {
    expect(instructionsOf(planContext())).not.toMatch(
      /private values|have to run|take results|team|undefined/,
    );
  });

  it('asks for an answer when no other step is allowed', () => {
    const context = planContext({
      tools: toolsOf({ name: 'a' }),
      constraints: constraints({ max_cycles: 1 }),
      steps: [callStep(okCall('a'))],
    });
    expect(instructionsOf(context)).toContain('Answer now with what is known.');
  });
});
