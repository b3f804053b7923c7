/** Words of the last changes. */
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import type { Change } from '#contract/console/history.ts'
import { counted, inSentence } from '#domain/text/words.ts'
import type { HomeEnvironment } from './useHome.ts'

/** Who made a change: the person or browser that sent it, or that it was not made in this console. */
export function formatAuthor({ cause, actor }: Pick<Change, 'cause' | 'actor'>): string {
  if (cause === 'outside') return 'Outside'
  return actor ? formatBrowser(actor) : 'This console'
}

const verbs: Record<Change['action'], string> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  operated: 'changed the state of',
}

/** "changed alert", and the name follows; "changed 3 alerts", and the names follow. */
export const formatAction = ({ action, kind }: Pick<Change, 'action' | 'kind'>, records = 1): string =>
  `${verbs[action]} ${records === 1 ? kindLabel(kind).one : `${records} ${inSentence(kindLabel(kind).many)}`}`

/** "3 fields", "promotion"; empty where there is nothing to add. */
export function formatChangeDetail({ action, fields, cause }: Pick<Change, 'action' | 'fields' | 'cause'>): string {
  const causes: Partial<Record<Change['cause'], string>> = {
    promotion: 'by a promotion',
    restore: 'by a restore',
    undo: 'by an undo',
    fileImport: 'by an import',
  }
  const parts = [action === 'updated' && fields !== undefined && counted(fields, 'field'), causes[cause]]
  return parts.filter(Boolean).join(', ')
}

/** The changes of one author to records of one kind at about the same time. */
export interface PlacedChange {
  /** The newest of them. */
  change: Change
  /** The earlier ones, of other records. */
  others: readonly Change[]
  environment: HomeEnvironment
}

/** Changes that are no further apart are one line, milliseconds. */
const together = 5 * 60_000

/**
 * The last changes of all connections, the newest first.
 * @param author as `formatAuthor` names them; those of all without one
 */
export function lastChanges(environments: readonly HomeEnvironment[], count: number, author?: string): PlacedChange[] {
  return placedChanges(environments)
    .filter(({ change }) => author === undefined || formatAuthor(change) === author)
    .reduce<PlacedChange[]>(withChange, [])
    .slice(0, count)
}

/** The authors of what was read, each once, who made the newest change first. */
export const authorsOf = (environments: readonly HomeEnvironment[]): string[] => [
  ...new Set(placedChanges(environments).map(({ change }) => formatAuthor(change))),
]

/** The newest first; one that several connections show, once. */
function placedChanges(environments: readonly HomeEnvironment[]): PlacedChange[] {
  const ids = new Set(environments.map(({ connection }) => connection.id))
  return environments
    .flatMap((environment) => (environment.changes ?? []).map((change) => ({ change, others: [], environment })))
    .filter(({ change, environment }) => {
      const sentThrough = change.connectionId
      return sentThrough === undefined || sentThrough === environment.connection.id || !ids.has(sentThrough)
    })
    .toSorted((a, b) => b.change.at.localeCompare(a.change.at))
}

/** Adds a change to the line that it belongs to, or as a line of its own. */
function withChange(lines: PlacedChange[], placed: PlacedChange): PlacedChange[] {
  const at = lines.findIndex((line) => belongsTo(line, placed))
  return at < 0
    ? [...lines, placed]
    : lines.map((line, index) => (index === at ? { ...line, others: [...line.others, placed.change] } : line))
}

function belongsTo({ change, others, environment }: PlacedChange, placed: PlacedChange): boolean {
  const kindOf = ({ kind, action, cause, actor, outcome, run }: Change) =>
    JSON.stringify([kind, action, cause, actor, outcome, run])
  return (
    environment.connection.id === placed.environment.connection.id &&
    kindOf(change) === kindOf(placed.change) &&
    Date.parse(change.at) - Date.parse(placed.change.at) <= together &&
    ![change, ...others].some(({ recordId }) => recordId === placed.change.recordId)
  )
}
