/** Finds the same source on another deployment by kind, name and table, because ids differ. */
import type { Source } from '#contract/stack/sources.ts'

export interface SourceReference {
  id: string
  name: string
  kind: string
  from?: { databaseName: string; tableName: string } | undefined
}

export interface SourceMatch {
  reference: SourceReference
  /** null: no match, or several equal ones. */
  to: Source | null
  /** How the match was found, or why there is none. */
  how: string
}

const rules: { how: string; fits: (reference: SourceReference, source: Source) => boolean }[] = [
  { how: 'the same source', fits: (reference, source) => reference.id === source.id },
  { how: 'same kind, name and table', fits: (a, b) => sameKind(a, b) && sameName(a, b) && sameTable(a, b) },
  { how: 'same kind and name', fits: (a, b) => sameKind(a, b) && sameName(a, b) },
  { how: 'same kind and table', fits: (a, b) => sameKind(a, b) && sameTable(a, b) },
  { how: 'the only source of its kind', fits: (a, b) => sameKind(a, b) },
  { how: 'same name', fits: (a, b) => a.kind === '' && sameName(a, b) },
]

/** The source that agrees in most; never one of another kind, never a choice between equals. */
function matchSource(reference: SourceReference, sources: readonly Source[]): SourceMatch {
  for (const { how, fits } of rules) {
    const found = sources.filter((source) => fits(reference, source))
    if (found.length === 1) return { reference, to: found[0]!, how }
    if (found.length > 1) return { reference, to: null, how: `${found.length} sources match: choose one` }
  }
  return { reference, to: null, how: reference.kind ? `no ${reference.kind} source` : 'unknown kind: choose one' }
}

/** The source of `others` for each of `own`: selected manually (own ID to other ID), or else the one that agrees in most. */
export function matchSources(
  own: readonly SourceReference[],
  others: readonly Source[],
  chosen: Readonly<Record<string, string>>,
): SourceMatch[] {
  return own.map((source) => {
    const byHand = others.find(({ id }) => id === chosen[source.id])
    return byHand ? { reference: source, to: byHand, how: 'selected manually' } : matchSource(source, others)
  })
}

const sameKind = (a: SourceReference, b: Source) => a.kind === b.kind
const sameName = (a: SourceReference, b: Source) => a.name.trim().toLowerCase() === b.name.trim().toLowerCase()
const sameTable = (a: SourceReference, b: Source) =>
  a.from !== undefined &&
  a.from.databaseName === b.from?.databaseName &&
  a.from.tableName === b.from.tableName &&
  a.from.tableName !== ''
