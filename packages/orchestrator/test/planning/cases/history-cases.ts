import { files } from './file-answers.js';
import { call, type PlanningCase } from './planning-case.js';

/** Requests about who changed what, and when. */
export const historyCases: readonly PlanningCase[] = [
  files(
    'reads a date as the start of a range',
    ['most changed files since 2026-01-01', 'Which files changed most often since January 1, 2026?'],
    [[call('most_changed_files', { since: '2026-01-01' })]],
  ),
  files(
    'counts relative dates back from today',
    ['What changed last week?', 'Show the commits since 2026-03-11', 'what was changed in the last 7 days?'],
    [[call('git_history', { since: '2026-03-11' })]],
    { says: ['Fix the engine'] },
  ),
  files(
    'leads with the author when asked who',
    [
      'Who changed README.md last?',
      'Who last touched the README?',
      'Which author committed most recently to README.md?',
    ],
    [[call('git_history', { path: 'README.md' })]],
    { says: [/^\*\*Ada Lovelace\*\*/, '2026-03-01'] },
  ),
  files('lists the authors', ['Who are the authors?'], [[call('git_history')]], {
    says: ['**Ada Lovelace**', '**Grace Hopper**'],
  }),
  files(
    'limits commits to the number asked for',
    ['last 3 commits', 'Show me the latest three commits', 'show the 3 most recent commits'],
    [[call('git_history', { limit: 3 })]],
  ),
  files(
    'counts commits by listing as many as possible',
    ['How many commits were there since March?'],
    [[call('git_history', { since: '2026-03-01', limit: 200 })]],
    { says: ['**2** commits'] },
  ),
  files(
    'says that a count is a lower bound when the list is full',
    ['How many commits are there?'],
    [[call('git_history', { limit: 200 })]],
    {
      answers: {
        git_history: {
          commits: Array.from({ length: 200 }, (_, index) => ({ commit: `c${index}`, author: 'A' })),
        },
      },
      says: ['At least **200** commits'],
    },
  ),
  files(
    'counts only the rows that contain the given name',
    ['How many commits did Grace Hopper make?', 'number of commits by Grace Hopper'],
    [[call('git_history', { limit: 200 })]],
    { says: ['**1** commits', 'def456'], saysNot: ['abc123'] },
  ),
  files('reports a name that matches no row', ['Show the commits of Alan Turing'], [[call('git_history')]], {
    says: ['could not narrow this down to “Alan Turing”'],
  }),
  files(
    'finds contributors and authors in the history',
    ['Who contributed to packages/core?', 'who wrote packages/core'],
    [[call('git_history', { path: 'packages/core' })]],
    { says: ['Ada Lovelace'] },
  ),
  files(
    'fetches one commit when one is asked for',
    ['Show the last commit', 'what was the latest change?'],
    [[call('git_history', { limit: 1 })]],
  ),
  files(
    'does not read "the last day" as one commit',
    ['Show the commits of the last day'],
    [[call('git_history', { since: '2026-03-17' })]],
  ),
  files(
    'limits commits to the folder that they touched',
    ['commits since 2026-01-01 that touched docs'],
    [[call('git_history', { path: 'docs', since: '2026-01-01' })]],
  ),
];
