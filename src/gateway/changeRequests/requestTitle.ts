/** The title of a request whose requester gave none. */
import { kindNames, kindPlurals, type RecordKind } from '#domain/records/kinds.ts'
import type { HeldRun } from '../approvals/holder.ts'
import type { HeldWrite } from './storedRequest.ts'
import { capitalized } from '#domain/text/words.ts'

const runTitles: Record<HeldRun['kind'], string> = {
  promotion: 'Promote',
  restore: 'Restore',
  undo: 'Undo a run of',
  fileImport: 'Import',
}

const maxTitle = 120

/** Such as `Update alert Payment pool exhausted`. */
export function writeTitle({ resource, verb, name }: Pick<HeldWrite, 'resource' | 'verb' | 'name'>): string {
  const kind = isRecordKind(resource) ? kindNames[resource] : words(resource).replace(/s$/, '')
  return `${capitalized(words(verb))} ${kind} ${name}`.trim().slice(0, maxTitle)
}

/** Such as `Promote 3 dashboards`. */
export function runTitle({ kind, steps }: Pick<HeldRun, 'kind' | 'steps'>): string {
  const changed = steps.filter(({ action }) => action !== 'same')
  const [first] = changed
  const kinds = new Set(changed.map((step) => step.kind))
  const what =
    changed.length === 1 && first
      ? `${kindNames[first.kind]} ${first.name}`
      : `${changed.length} ${kinds.size === 1 && first ? kindPlurals[first.kind] : 'records'}`
  return `${runTitles[kind]} ${what}`.slice(0, maxTitle)
}

function isRecordKind(resource: string): resource is RecordKind {
  return resource in kindNames
}

/** `scaleReplicas` as `scale replicas`. */
function words(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}
