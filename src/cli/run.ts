/** Runs a command. Only plans, lists and JSON reach stdout; everything else is said on stderr. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { recordsForFiles, type ReadRecordFile } from '#domain/recordFiles/recordFiles.ts'
import { schemaFiles } from '#domain/recordFiles/schemas.ts'
import { wantedRecords, type NeededSecret } from '#domain/recordFiles/wantedRecords.ts'
import type { SecretVariable } from '#domain/recordFiles/webhookSecrets.ts'
import { placeOf } from '#domain/recordFiles/yaml.ts'
import { idOf, recordKey } from '#domain/records/directory.ts'
import { directoryOf, recordsOf, type Inventory } from '#domain/records/inventory.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { planChanges, type Plan } from '#domain/records/plan.ts'
import { runPlan } from '#domain/records/run.ts'
import { planUndo } from '#domain/records/undo.ts'
import { isExportedKind } from '#domain/terraform/exportedKinds.ts'
import { terraformOf } from '#domain/terraform/terraform.ts'
import { finish } from '#domain/work.ts'
import { ApplyJournal, findApply, listApplies, newApplyId } from './applyJournal.ts'
import { readCommandLine, type CommandLine } from './commandLine.ts'
import { applyByConsole, consoleAddress, openConsole, planByConsole } from './consoleApply.ts'
import { explain, openDeployment, type Deployment } from './deployment.ts'
import { managedKinds, readFiles, syncRecordFiles, writeTexts } from './recordFiles.ts'
import { notKeptText, planJson, planText } from './planText.ts'
import { CliError, problemsError } from './problems.ts'
import { changedSincePlan } from './storedPlan.ts'

export interface CliEnvironment {
  env: Record<string, string | undefined>
  out: (text: string) => void
  err: (text: string) => void
  /** Whether somebody can answer a question. */
  isInteractive: boolean
}

/** Runs the command of the arguments, or says on stderr why it cannot. @returns the exit code */
export async function runCommandLine(args: readonly string[], environment: CliEnvironment): Promise<number> {
  try {
    const line = readCommandLine(args)
    if (!('help' in line)) return await run(line, environment)
    environment.out(line.help)
    return 0
  } catch (error) {
    environment.err(`${explain(error)}\n`)
    return 1
  }
}

async function run(line: CommandLine, environment: CliEnvironment): Promise<number> {
  if (line.command === 'history') return showHistory(line, environment)
  if (line.command === 'mcp') {
    const console = consoleAddress(environment.env)
    // Loaded on demand: no other command needs the protocol.
    const { bridgeAgent } = await import('./agentBridge.ts')
    return bridgeAgent(console, environment.err)
  }
  const byConsole = openConsole(environment.env)
  if (byConsole) return runByConsole(byConsole, line, environment)
  const deployment = openDeployment(environment.env)
  try {
    switch (line.command) {
      case 'export':
        return await exportRecords(line, deployment, environment)
      case 'diff':
      case 'drift':
        return await showDifferences(line, deployment, environment)
      case 'plan':
        return await showPlan(line, deployment, environment)
      case 'apply':
        return await apply(line, deployment, environment)
      case 'restore':
        return await restore(line, deployment, environment)
      case 'terraform':
        return await printTerraform(line, deployment, environment)
    }
  } finally {
    await deployment.close()
  }
}

/** A console's part: its history and its change requests take the place of the rest. */
function runByConsole(
  byConsole: NonNullable<ReturnType<typeof openConsole>>,
  line: CommandLine,
  environment: CliEnvironment,
): Promise<number> {
  if (line.command === 'plan' && line.out === undefined) return planByConsole(byConsole, line, environment)
  if (line.command === 'apply' && line.argument === undefined) {
    return applyByConsole(byConsole, line, environment, () =>
      isConfirmed(`the connection ${byConsole.connectionId}`, environment),
    )
  }
  throw new CliError(
    `With STACK_CONSOLE_URL there are plan and apply, without files of plans. Unset it for ${line.command}.`,
  )
}

async function exportRecords({ dir, withSecrets }: CommandLine, deployment: Deployment, { err }: CliEnvironment) {
  // A deployment without records of a kind leaves the files of another one alone.
  const records = recordsForFiles(await deployment.read(), withSecrets)
  mkdirSync(dir, { recursive: true })
  writeTexts(dir, schemaFiles())
  err(`Wrote ${syncRecordFiles(dir, records)} files to ${dir}.\n`)
  return 0
}

/** Configuration whose first plan imports everything and changes nothing. */
async function printTerraform(
  { json }: CommandLine,
  deployment: Deployment,
  { out, err }: CliEnvironment,
): Promise<number> {
  const inventory = await deployment.read()
  const kinds = recordKinds.filter(isExportedKind)
  const records = kinds.flatMap((kind) => recordsOf(inventory, kind).map((record) => ({ kind, record })))
  const exported = terraformOf(records, { variant: deployment.target.variant, provider: true })
  out(json ? `${stringifyJson(exported)}\n` : exported.hcl)
  for (const note of exported.notes) err(`${note}\n`)
  return 0
}

/** The plan after which the deployment matches the files. */
function planFor(dir: string, inventory: Inventory, env: CliEnvironment['env'], prune: boolean): Plan {
  if (!existsSync(dir)) throw new CliError(`The folder ${dir} does not exist. \`export\` creates it.`)
  const secretOf = (_: ReadRecordFile, { variable }: SecretVariable) => env[variable]
  const { wanted, secrets } = finish(wantedRecords(readFiles(dir), directoryOf(inventory), secretOf))
  const unknown = secrets.filter(({ isKnown }) => !isKnown)
  if (unknown.length > 0) throw problemsError(unknown.map(secretProblem))
  const removals = managedKinds(dir).flatMap((kind) =>
    recordsOf(inventory, kind).map((row) => recordKey(kind, idOf(row))),
  )
  return planChanges({ wanted, target: inventory, removals: new Set(prune ? removals : []) })
}

function secretProblem({ file: { path, text }, variable, of }: NeededSecret<ReadRecordFile>): string {
  const { line, column } = placeOf(text, [of === 'url' ? 'url' : 'body'])
  const reason = of === 'url' ? 'no webhook of this name yet' : 'no key for this webhook with its URL'
  return `${path}:${line}:${column}: set ${variable} in the environment: the deployment has ${reason}`
}

async function showDifferences(
  { command, dir, json }: CommandLine,
  deployment: Deployment,
  { env, out }: CliEnvironment,
) {
  const plan = planFor(dir, await deployment.read(), env, true)
  out(json ? planJson(plan) : planText(plan))
  const differs = plan.counts.create + plan.counts.update + plan.counts.delete > 0
  return command === 'drift' && differs ? 2 : 0
}

async function showPlan(
  { dir, json, out: file, prune }: CommandLine,
  deployment: Deployment,
  { env, out, err }: CliEnvironment,
) {
  const plan = planFor(dir, await deployment.read(), env, prune)
  out(json ? planJson(plan) : planText(plan))
  if (file !== undefined) {
    writeFileSync(file, stringifyJson({ deployment: deployment.name, plan }), { mode: 0o600 })
    err(`Wrote the plan to ${file}. It has the records in full, secrets included.\n`)
  }
  return plan.ready ? 0 : 1
}

async function apply(line: CommandLine, deployment: Deployment, environment: CliEnvironment): Promise<number> {
  const inventory = await deployment.read()
  const plan =
    line.argument === undefined
      ? planFor(line.dir, inventory, environment.env, line.prune)
      : storedPlan(line.argument, deployment, inventory)
  return carryOut(line, deployment, environment, inventory, plan)
}

/** The plan of a file. @throws CliError if it is for another deployment, or something changed since */
function storedPlan(file: string, deployment: Deployment, inventory: Inventory): Plan {
  if (!existsSync(file)) throw new CliError(`The plan ${file} does not exist.`)
  // Written by `plan --out`.
  const stored = parseJson(readFileSync(file, 'utf8')) as { deployment: string; plan: Plan }
  if (stored.deployment !== deployment.name)
    throw new CliError(`The plan is for ${stored.deployment}, not for ${deployment.name}.`)
  const changed = changedSincePlan(stored.plan, inventory)
  if (changed.length > 0) {
    throw new CliError(
      `The deployment changed after the plan was made: ${changed.join(', ')}. Nothing was written. Plan again.`,
    )
  }
  return stored.plan
}

async function carryOut(
  { dir, json, yes }: CommandLine,
  deployment: Deployment,
  environment: CliEnvironment,
  inventory: Inventory,
  plan: Plan,
): Promise<number> {
  const { out, err } = environment
  out(json ? planJson(plan) : planText(plan))
  if (!plan.ready) throw new CliError('The plan cannot be carried out: see the lines with "!". Nothing was written.')
  const changing = plan.steps.filter(({ action }) => action !== 'same')
  if (changing.length === 0) return 0
  if (!yes && !(await isConfirmed(deployment.name, environment))) {
    err('Nothing was written.\n')
    return 1
  }
  const journal = new ApplyJournal(dir, {
    id: newApplyId(),
    deployment: deployment.name,
    steps: changing.map((step) => ({ step })),
  })
  let done = 0
  const outcomes = await runPlan(plan.steps, inventory, deployment.port, {
    begin: ({ kind, name, action }) => err(`${action} ${kind} ${name} (${done + 1} of ${changing.length})\n`),
    settle: ({ key, name }, outcome) => {
      done += 1
      journal.settle(key, outcome)
      if (outcome.state !== 'done') err(`${name}: ${outcome.reason}\n`)
      else if (outcome.notKept) err(`${name}: ${notKeptText(outcome.notKept)}\n`)
    },
    isStopped: () => false,
    continueOnFailure: false,
  })
  const written = [...outcomes.values()].filter(({ state }) => state === 'done').length
  err(`${written} of ${changing.length} records written.\n`)
  return written === changing.length ? 0 : 1
}

async function isConfirmed(deployment: string, { isInteractive }: CliEnvironment): Promise<boolean> {
  if (!isInteractive) throw new CliError('Nobody can be asked here: add --yes. Nothing was written.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`Write to ${deployment}? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

function showHistory({ dir, json }: CommandLine, { out }: CliEnvironment): number {
  const applies = listApplies(dir).map(({ id, deployment, steps }) => ({
    id,
    deployment,
    steps: steps.length,
    done: steps.filter(({ outcome }) => outcome?.state === 'done').length,
  }))
  if (json) out(`${stringifyJson(applies)}\n`)
  else if (applies.length === 0) out('Nothing was applied from this folder yet.\n')
  else
    out(
      applies
        .map((started) => `${started.id}  ${started.done} of ${started.steps} records  ${started.deployment}\n`)
        .join(''),
    )
  return 0
}

async function restore(line: CommandLine, deployment: Deployment, environment: CliEnvironment): Promise<number> {
  const found = findApply(line.dir, line.argument)
  if (found.deployment !== deployment.name) {
    throw new CliError(`${found.id} was applied to ${found.deployment}, not to ${deployment.name}.`)
  }
  const inventory = await deployment.read()
  return carryOut(line, deployment, environment, inventory, planUndo(found.steps, inventory))
}
