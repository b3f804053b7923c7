import { useEffect, useState } from 'react'
import type { ApiFailure } from '#console/api/failure.ts'
import { namesOfFields, withNamesAsText } from '#domain/query/textAsField.ts'
import type { SearchState } from './state.ts'

/** A condition that was refused, and the one that replaced it. */
interface Rewriting {
  from: string
  to: string
}

export interface UnknownFields {
  /** Names that the source does not have as fields: they are searched as text. */
  names: ReadonlySet<string>
  /** The condition in which these names are text. */
  asText: (condition: string) => string
  /** The last condition that the page replaced by itself. */
  rewritten: Rewriting | null
  /** The condition was refused for a name that is no field, and is about to be replaced. */
  isRewriting: boolean
}

const none: ReadonlySet<string> = new Set()

/**
 * Searches words before a colon as text where the deployment refused them as fields: `Error: timeout` becomes
 * `Error\: timeout` in the URL, so that all requests and links have a condition that is valid everywhere. Names that
 * were refused are text at once in further conditions on the source.
 *
 * @param failure why the rows of the condition could not be read
 */
export function useUnknownFields(
  { q, lang }: SearchState,
  failure: ApiFailure | null,
  change: (patch: Partial<SearchState>) => void,
): UnknownFields {
  const [known, setKnown] = useState<{ names: ReadonlySet<string>; rewritten: Rewriting | null }>({
    names: none,
    rewritten: null,
  })
  const refused = failure && lang === 'lucene' ? refusedFields(q, failure) : []
  const to = refused.length > 0 ? withNamesAsText(q, new Set(refused)) : q
  const isRewriting = to !== q
  if (isRewriting && known.rewritten?.from !== q) {
    setKnown({ names: new Set([...known.names, ...refused]), rewritten: { from: q, to } })
  }
  useEffect(() => {
    if (isRewriting) change({ q: to })
  }, [isRewriting, to, change])
  const { names, rewritten } = known
  const asText = (condition: string) => (names.size > 0 ? withNamesAsText(condition, names) : condition)
  return { names, asText, rewritten, isRewriting }
}

/** The names in a condition that the deployment refused, because the source has no such fields. */
function refusedFields(condition: string, { detail = '' }: Pick<ApiFailure, 'detail'>): string[] {
  if (!/^(?:UNKNOWN_IDENTIFIER|THERE_IS_NO_COLUMN)\b/.test(detail)) return []
  // The first name in quotes is the unknown one, others may follow that are similar.
  const unknown = /(["'`])(.+?)\1/.exec(detail)?.[2]
  return namesOfFields(condition).filter((name) => name === unknown || name.split(/[.[]/, 1)[0] === unknown)
}
