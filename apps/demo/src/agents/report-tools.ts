import {
  dependsOnAgent,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
  type Agent,
} from '@svc/core';
import { z } from 'zod';
import { signText, writeReport } from '../folder/report.js';
import { renderReport, summarizeFolder } from '../folder/summary.js';
import { folderCheck, reportAudit } from './report-hooks.js';

/** Name of the private value that signs reports; planners see only the name. */
export const signingKeyName = 'report_signing_key';

/** Where the report tools read and write. */
export interface ReportToolOptions {
  root: string;
  reportsFolder: string;
}

const title = z.string().max(80).default('Folder report').describe('Title of the report');
const mayWrite = {
  prompt: 'Write the signed report into the reports folder?',
  inputType: 'boolean',
} as const;

interface SignedReport {
  title: string;
  text: string;
  signature: string;
  algorithm: string;
}

const signReport = (name: string, text: string, key: string): SignedReport => ({
  title: name,
  text,
  signature: signText(text, key),
  algorithm: 'HMAC-SHA256',
});

async function saveReport(report: SignedReport, approved: boolean, reportsFolder: string) {
  if (!approved) return { written: false, reason: 'The user did not agree.' };
  const text = `${report.text}\n<!-- ${report.algorithm} ${report.signature} -->\n`;
  return { written: true, ...(await writeReport({ reportsFolder, title: report.title, text })) };
}

/** The tool that measures a folder. */
export function addSummaryTool(agent: Agent, root: string) {
  return agent.toolify(
    {
      name: 'summarize_folder',
      description:
        'Analyse and summarize a folder: files, lines, largest files, most changed files, latest commits',
      input: z.object({
        folder: z.string().default('.').describe('Folder to summarize, relative to the root'),
      }),
      permissions: ['read'],
    },
    ({ folder }, { signal }) => summarizeFolder(folder, { root, signal }),
  );
}

/**
 * The report chain of one agent: `summarize_folder` measures, `sign_report` takes its output and a key from private data,
 * and `write_report` takes the signed report and asks the user before it writes.
 */
export function addReportTools(agent: Agent, { root, reportsFolder }: ReportToolOptions): void {
  const sign = agent.toolify(
    {
      name: 'sign_report',
      description: 'Draft a report on a folder and sign it; no file is written',
      input: z.object({ title }),
      inject: {
        summary: dependsOnTool(addSummaryTool(agent, root)),
        key: dependsOnPrivateData(signingKeyName),
      },
      permissions: ['read'],
    },
    ({ title: name, summary, key }) => signReport(name, renderReport(name, summary), key),
  );
  agent.toolify(
    {
      name: 'write_report',
      description: 'Write or save the signed report on a folder as a file, after the person agreed',
      input: z.object({}),
      inject: {
        report: dependsOnTool(sign),
        approved: dependsOnInterrupt(mayWrite),
      },
      permissions: ['write'],
      beforeExecute: folderCheck(reportsFolder),
      afterExecute: reportAudit(reportsFolder),
    },
    ({ report, approved }) => saveReport(report, approved, reportsFolder),
  );
}

/** The writer's tools: one drafts a report from the analyst's answer, one writes the file after the user agreed. */
export function addWriterTools(writer: Agent, analyst: Agent, reportsFolder: string): void {
  const draft = writer.toolify(
    {
      name: 'draft_report',
      description: 'Draft and sign a report from what the analyst found',
      input: z.object({ title }),
      inject: { findings: dependsOnAgent(analyst), key: dependsOnPrivateData(signingKeyName) },
      permissions: ['read'],
    },
    ({ title: name, findings, key }) => signReport(name, `# ${name}\n\n${findings.response ?? ''}\n`, key),
  );
  writer.toolify(
    {
      name: 'save_report',
      description: 'Write or save the drafted report as a file, after the person agreed',
      input: z.object({}),
      inject: {
        report: dependsOnTool(draft),
        approved: dependsOnInterrupt(mayWrite),
      },
      permissions: ['write'],
      beforeExecute: folderCheck(reportsFolder),
      afterExecute: reportAudit(reportsFolder),
    },
    ({ report, approved }) => saveReport(report, approved, reportsFolder),
  );
}
