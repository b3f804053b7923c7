/**
 * The changes of each apply, beside the files: deployments have no history. The entries have the records as they were, so only
 * their owner may read them, and Git ignores them.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import type { RunStep } from '#domain/records/undo.ts'
import { writeAtomically } from '#node/files/atomicFile.ts'
import { CliError } from './problems.ts'

export interface Apply {
  /** Its time: `2026-11-23T10-20-30.123Z`. */
  id: string
  deployment: string
  steps: RunStep[]
}

const folderOf = (dir: string) => join(dir, '.stack-console', 'applies')

/** Stores what will be done before it is done, and again after each step. */
export class ApplyJournal {
  readonly #path: string
  readonly #apply: Apply

  constructor(dir: string, apply: Apply) {
    this.#apply = apply
    const folder = folderOf(dir)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    const ignore = join(dir, '.stack-console', '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, 'applies/\n')
    this.#path = join(folder, `${apply.id}.json`)
    this.#store()
  }

  settle(key: string, outcome: RunStep['outcome']): void {
    const step = this.#apply.steps.find((runStep) => runStep.step.key === key)
    if (step) step.outcome = outcome
    this.#store()
  }

  #store(): void {
    writeAtomically(this.#path, stringifyJson(this.#apply))
  }
}

/** The newest first. */
export function listApplies(dir: string): Apply[] {
  const folder = folderOf(dir)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .toReversed()
    .map((name) => readApply(join(folder, name)))
}

/** @throws CliError if there is no such entry */
export function findApply(dir: string, id: string | undefined): Apply {
  const all = listApplies(dir)
  const found = id === undefined ? all[0] : all.find((apply) => apply.id === id)
  if (!found)
    throw new CliError(
      id === undefined
        ? 'Nothing was applied from this folder yet.'
        : `There is no apply ${id}. \`history\` lists them.`,
    )
  return found
}

function readApply(path: string): Apply {
  return parseJson(readFileSync(path, 'utf8')) as Apply // what `ApplyJournal` wrote
}

export function newApplyId(): string {
  return new Date().toISOString().replaceAll(':', '-')
}
