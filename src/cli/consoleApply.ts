/**
 * `plan` and `apply` through a console instead of a deployment: with the role of a personal token, in its history, and where
 * the connection has two-person approval, as a change request.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import { runPaths } from '#contract/console/environmentPaths.ts'
import { apiError, fillPath, pathId } from '#contract/wire/kernel.ts'
import { secretIdOf, type FileImportInput, type FileImportPlan } from '#contract/console/recordFiles.ts'
import type { PlanStepView, RunDetail, Started } from '#contract/console/runs.ts'
import { variablesOf } from '#domain/recordFiles/webhookSecrets.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import type { CommandLine } from './commandLine.ts'
import { notKeptText } from './planText.ts'
import { CliError, problemsError } from './problems.ts'
import { readFiles } from './recordFiles.ts'

/** The exit code of an `apply` that waits for approval: nothing was written. */
const waitsForApproval = 3

/** Milliseconds between two reads of a run. */
const pollInterval = 500

interface Console {
  connectionId: string
  call<T>(method: 'GET' | 'POST', path: string, body?: unknown, headers?: Record<string, string>): Promise<T>
}

interface ConsoleEnvironment {
  env: Record<string, string | undefined>
  out: (text: string) => void
  err: (text: string) => void
}

/** The console that the environment names; undefined if it names none. @throws CliError that says what is missing */
export function openConsole(env: ConsoleEnvironment['env']): Console | undefined {
  if (env['STACK_CONSOLE_URL'] === undefined) return undefined
  const { STACK_CONSOLE_CONNECTION: connectionId = '' } = env
  const { url, token, problems: missing } = addressOf(env)
  const problems = [
    ...missing,
    ...(pathId.safeParse(connectionId).success
      ? []
      : ['STACK_CONSOLE_CONNECTION must be the ID of the connection, as its addresses in the console have it.']),
  ]
  if (problems.length > 0) throw problemsError(problems)
  return { connectionId, call: (...request) => send(url, token, ...request) }
}

/** The address of a console, and a personal token. @throws CliError that says what is missing */
export function consoleAddress(env: ConsoleEnvironment['env']): { url: string; token: string } {
  const { problems, ...address } = addressOf(env)
  if (problems.length > 0) throw problemsError(problems)
  return address
}

function addressOf({ STACK_CONSOLE_URL: url = '', STACK_CONSOLE_TOKEN: token = '' }: ConsoleEnvironment['env']) {
  const problems = [
    ...(URL.canParse(url) && /^https?:/.test(url)
      ? []
      : ['STACK_CONSOLE_URL must be the address of the console, such as http://127.0.0.1:8080']),
    ...(token === '' ? ['STACK_CONSOLE_TOKEN is missing: a personal token, from My account in the console.'] : []),
  ]
  return { url: url.replace(/\/$/, ''), token, problems }
}

async function send<T>(
  url: string,
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  }).catch(() => {
    throw new CliError(`The console at ${url} cannot be reached.`)
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new CliError(apiError.safeParse(answer).data?.message ?? `The console answered ${response.status}.`)
  return answer as T // the console's own API
}

/** @returns the exit code */
export async function planByConsole(
  console: Console,
  line: CommandLine,
  environment: ConsoleEnvironment,
): Promise<number> {
  const { plan } = await planFor(console, line, environment)
  return plan.ready ? 0 : 1
}

/** @returns the exit code: `waitsForApproval` for a change request */
export async function applyByConsole(
  console: Console,
  line: CommandLine,
  environment: ConsoleEnvironment,
  isConfirmed: () => Promise<boolean>,
): Promise<number> {
  const { plan, input } = await planFor(console, line, environment)
  if (!plan.ready) throw new CliError('The plan cannot be carried out: see the lines with "!". Nothing was written.')
  if (plan.steps.every(({ action }) => action === 'same')) return 0
  if (!line.yes && !(await isConfirmed())) {
    environment.err('Nothing was written.\n')
    return 1
  }
  const { runs, held } = await console.call<Started>(
    'POST',
    fillPath(runPaths.fileImports, { connectionId: console.connectionId }),
    { ...input, digests: { [console.connectionId]: plan.digest } },
    {
      [changeRequestHeader]: encodeURIComponent(
        JSON.stringify({ reason: environment.env['STACK_CONSOLE_REASON'] ?? '' }),
      ),
    },
  )
  for (const { number, link } of held) {
    environment.err(`Waits for approval as change request ${number}. Nothing was written yet.\n`)
    environment.out(`${link}\n`)
  }
  if (held.length > 0) return waitsForApproval
  const ended = await Promise.all(runs.map((runId) => endOf(console, runId)))
  for (const { counts, steps } of ended) {
    for (const { name, reason, notKept } of steps) {
      if (reason !== undefined) environment.err(`${name}: ${reason}\n`)
      if (notKept !== undefined) environment.err(`${name}: ${notKeptText(notKept)}\n`)
    }
    environment.err(`${counts.done} of ${counts.steps} records written.\n`)
  }
  return ended.every(({ state }) => state === 'done') ? 0 : 1
}

async function planFor(console: Console, { dir, prune, json }: CommandLine, { env, out }: ConsoleEnvironment) {
  const files = readFiles(dir)
  const path = fillPath(runPaths.fileImportPlan, { connectionId: console.connectionId })
  const content = Object.fromEntries(files.map((file) => [file.path, readFileSync(join(dir, file.path))]))
  const variables = files.flatMap(({ kind, path: file, record }) =>
    (kind === 'webhooks' ? variablesOf(record) : []).flatMap((secret) => {
      const value = env[secret.variable]
      return value === undefined ? [] : [[secretIdOf(file, secret), value] as const]
    }),
  )
  const input: FileImportInput = {
    zip: Buffer.from(zipSync(content)).toString('base64'),
    prune,
    secrets: Object.fromEntries(variables),
  }
  const plan = await console.call<FileImportPlan>('POST', path, input)
  out(json ? `${JSON.stringify(plan)}\n` : textOf(plan))
  return { plan, input }
}

async function endOf({ call }: Console, runId: string): Promise<RunDetail> {
  for (;;) {
    const run = await call<RunDetail>('GET', fillPath(runPaths.run, { runId }))
    if (run.state !== 'running' && run.state !== 'stopping') return run
    await sleep(pollInterval)
  }
}

const signs = { create: '+', update: '~', delete: '-', same: ' ' } as const

function textOf({ steps, counts, requests }: FileImportPlan): string {
  const changing = steps.filter(({ action }) => action !== 'same')
  if (changing.length === 0) return 'No changes. The connection is as the files say.\n'
  const { create, update, delete: removed, same } = counts
  const sum = `${create} to create, ${update} to update, ${removed} to delete, ${same} unchanged; ${requests} requests`
  return [...changing.flatMap(linesOf), '', sum, ''].join('\n')
}

/** A step with its fields, whose secrets the console has masked. */
function linesOf({ action, kind, name, changes, blocked, refusals, missing }: PlanStepView): string[] {
  const text = (value: unknown) => (value == null ? 'none' : JSON.stringify(value).slice(0, 200))
  const place = (path: readonly unknown[]) => path.map((step) => String(Object(step).id ?? step)).join(' > ')
  return [
    `${signs[action]} ${action} ${formatRecordName(kind)} ${JSON.stringify(name)}`,
    ...changes.map(({ path, before, after }) => `    ${place(path)}: ${text(before)} -> ${text(after)}`),
    ...(blocked === undefined ? [] : [`    ! ${blocked}`]),
    ...refusals.map((reason) => `    ! expected to be refused: ${reason}`),
    ...missing.map(({ kind, name }) => `    ! needs the ${kind} ${JSON.stringify(name)}`),
  ]
}
