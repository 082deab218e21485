import {
  MemoryInsightSchema,
  MemoryPolicySchema,
  MemoryPurgeResponseSchema,
  MemoryResourceCandidateSchema,
  MemoryResourceDetailSchema,
  MemorySkillSchema,
  SharingScopeSchema,
} from '@svc/contracts/orchestrator';
import * as z from 'zod';
import { InsightBodySchema } from '../memory/knowledge/insights.js';
import { BindBodySchema, PromoteBodySchema, PurgeBodySchema } from '../memory/memory-bodies.js';
import { PolicyChangeSchema } from '../memory/keeping/memory-policy.js';
import { ResourceBodySchema } from '../memory/resources/resource-body.js';
import { BindingTypeSchema } from '../memory/resources/resources.js';
import { SkillBodySchema } from '../memory/knowledge/skills.js';
import { bodyErrors, choice, data, pageLimit, type Answer, type Operation, type Query } from './operation.js';

const writeErrors = [...bodyErrors, 'MEMORY_DISABLED', 'RECORD_TOO_LARGE', 'MEMORY_FULL'] as const;
const foundErrors = ['PROJECT_FORBIDDEN', 'MEMORY_NOT_FOUND'] as const;

const list = (name: string, item: z.ZodType): Answer =>
  data(name, z.object({ items: z.array(item) }), 'One page, newest first.');
const gone: Answer = { description: 'The record was removed.' };

const access = ['memory'] as const;
const policyPath = '/organizations/{organization_id}/memory-policy';
const root = '/projects/{project_id}/memory';
const page = {
  limit: pageLimit,
  offset: {
    description: 'Number of items to skip.',
    schema: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
  },
};
const scope = { sharing_scope: choice(SharingScopeSchema) };

const policy = data('MemoryPolicy', MemoryPolicySchema, 'The policy.');
const skill = data('MemorySkill', MemorySkillSchema, 'The skill.');
const insight = data('MemoryInsight', MemoryInsightSchema, 'The insight.');
const resource = data('MemoryResourceDetail', MemoryResourceDetailSchema, 'The resource.');

/** Reading, writing and removing the records of one kind. */
function records(
  kind: string,
  { plural, answer, body, query }: { plural: string; answer: Answer; body: z.ZodType; query: Query },
): Operation[] {
  const name = `Memory${kind}`;
  const article = kind === 'Insight' ? 'an' : 'a';
  const path = `${root}/${plural}`;
  const one = `${path}/{id}`;
  const written = { name: `${name}Body`, schema: body };
  const item = answer.data?.schema ?? z.unknown();
  const tooLarge = kind === 'Resource' ? (['RESOURCE_TOO_LARGE'] as const) : [];
  const create = [...writeErrors, ...tooLarge, 'PROJECT_FORBIDDEN', 'MEMORY_CONFLICT'] as const;
  return [
    {
      method: 'get',
      path,
      id: `list${name}s`,
      access,
      summary: `Lists the ${plural} of the key’s project.`,
      query: { search: 'Words that must all occur.', ...page, ...query },
      answers: { 200: list(`${name}List`, item) },
      errors: ['INVALID_REQUEST', 'PROJECT_FORBIDDEN'],
    },
    {
      method: 'post',
      path,
      id: `create${name}`,
      access,
      summary: `Creates ${article} ${kind.toLowerCase()}.`,
      body: written,
      answers: { 201: answer },
      errors: create,
    },
    {
      method: 'get',
      path: one,
      id: `read${name}`,
      access,
      summary: `Returns ${article} ${kind.toLowerCase()}.`,
      answers: { 200: answer },
      errors: foundErrors,
    },
    {
      method: 'patch',
      path: one,
      id: `change${name}`,
      access,
      summary: `Changes ${article} ${kind.toLowerCase()}${kind === 'Resource' ? ', but not its content' : ''}.`,
      body: written,
      answers: { 200: answer },
      errors: [
        ...writeErrors,
        ...foundErrors,
        ...(kind === 'Resource' ? (['MEMORY_CONFLICT'] as const) : []),
      ],
    },
    {
      method: 'delete',
      path: one,
      id: `delete${name}`,
      access,
      summary: `Removes ${article} ${kind.toLowerCase()}.`,
      answers: { 204: gone },
      errors: foundErrors,
    },
  ];
}

function resourceAction(
  action: string,
  { summary, body, errors = [] }: { summary: string; body?: Operation['body']; errors?: Operation['errors'] },
): Operation {
  return {
    method: 'post',
    path: `${root}/resources/{id}/${action}`,
    id: `${action}MemoryResource`,
    access,
    summary,
    ...(body ? { body } : {}),
    answers: { 200: resource },
    errors: [...foundErrors, ...errors],
  };
}

const policyOperations: readonly Operation[] = [
  {
    method: 'get',
    path: policyPath,
    id: 'readMemoryPolicy',
    access: ['memory', 'administration'],
    summary: 'Returns what the key’s organization allows its runs to remember.',
    answers: { 200: policy },
    errors: ['ORGANIZATION_FORBIDDEN'],
  },
  {
    method: 'patch',
    path: policyPath,
    id: 'changeMemoryPolicy',
    access: ['administration'],
    summary: 'Changes the policy and applies it to existing records at once.',
    body: { name: 'MemoryPolicyChange', schema: PolicyChangeSchema },
    answers: { 200: policy },
    errors: [...bodyErrors, 'ORGANIZATION_FORBIDDEN'],
  },
  {
    method: 'post',
    path: `${policyPath}/purge`,
    id: 'purgeMemory',
    access: ['administration'],
    summary: 'Removes the whole memory of the key’s project, or what one run stored.',
    body: { name: 'MemoryPurgeRequest', schema: PurgeBodySchema },
    answers: { 200: data('MemoryPurgeResponse', MemoryPurgeResponseSchema, 'What was removed.') },
    errors: [...bodyErrors, 'ORGANIZATION_FORBIDDEN', 'PROJECT_FORBIDDEN', 'PURGE_NOT_CONFIRMED'],
  },
];

/** The operations on memory, in the order of the documentation. */
export const MEMORY_OPERATIONS: readonly Operation[] = [
  ...policyOperations,
  ...records('Skill', {
    plural: 'skills',
    answer: skill,
    body: SkillBodySchema,
    query: {
      ...scope,
      origin: choice(MemorySkillSchema.shape.origin.unwrap()),
      status: choice(MemorySkillSchema.shape.status.unwrap()),
    },
  }),
  ...records('Insight', {
    plural: 'insights',
    answer: insight,
    body: InsightBodySchema,
    query: {
      ...scope,
      insight_type: choice(MemoryInsightSchema.shape.insight_type),
      origin: choice(MemoryInsightSchema.shape.origin.unwrap()),
    },
  }),
  {
    method: 'post',
    path: `${root}/insights/{id}/promote`,
    id: 'promoteMemoryInsight',
    access,
    summary: 'Copies an insight to the whole project or organization; the original stays.',
    body: { name: 'MemoryPromotion', schema: PromoteBodySchema },
    answers: { 200: insight },
    errors: [...writeErrors, ...foundErrors],
  },
  ...records('Resource', {
    plural: 'resources',
    answer: resource,
    body: ResourceBodySchema,
    query: {
      binding_type: choice(BindingTypeSchema),
      status: choice(MemoryResourceDetailSchema.shape.registration_status.unwrap()),
      tags: {
        description: 'Returns only resources with all of these tags.',
        schema: { type: 'array', items: { type: 'string' }, maxItems: 20 },
      },
    },
  }),
  {
    method: 'get',
    path: `${root}/resources/unbound/candidates`,
    id: 'listMemoryResourceCandidates',
    access,
    summary: 'Lists unbound resources, the longest unbound first.',
    query: {
      ...page,
      min_age_days: {
        description: 'Returns only resources unbound for at least this many days.',
        schema: { type: 'number', minimum: 0, maximum: 36_500, default: 0 },
      },
    },
    answers: { 200: list('MemoryResourceCandidateList', MemoryResourceCandidateSchema) },
    errors: ['INVALID_REQUEST', 'PROJECT_FORBIDDEN'],
  },
  resourceAction('replace', {
    summary: 'Replaces the content of a resource; identical content changes nothing.',
    body: { name: 'MemoryResourceBody', schema: ResourceBodySchema },
    errors: [...writeErrors, 'RESOURCE_TOO_LARGE'],
  }),
  resourceAction('bind', {
    summary: 'Binds a resource to an agent, a swarm, the portal, or nothing.',
    body: { name: 'MemoryBinding', schema: BindBodySchema },
    errors: bodyErrors,
  }),
  resourceAction('rebind', {
    summary: 'Restores the previous binding of a resource.',
    errors: ['MEMORY_CONFLICT'],
  }),
  resourceAction('restore', {
    summary: 'Restores a deleted resource or an older version.',
    errors: ['MEMORY_DISABLED'],
  }),
];
