/** Everything worth sharing is in the address: state in the query string, typed by zod. */
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { z } from 'zod'

/** Query strings as plain texts: `?q=5` is the text `5`, not a number. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** The inverse; keeps `:`, `,` and `/` readable. */
export function stringifySearch(values: Record<string, unknown>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '' && value !== null)
  const text = new URLSearchParams(set.map(([key, value]) => [key, String(value)])).toString()
  const readable = text.replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%2F/g, '/')
  return readable === '' ? '' : `?${readable}`
}

type Patch = Record<string, string | number | undefined>

/**
 * The page's state from its address. Fields of the schema take texts and should `.catch` a default, so that a
 * mistyped address still opens. A change replaces the history entry unless `push` is said; undefined or '' removes it.
 */
export function useUrlState<S extends z.ZodType>(
  schema: S,
): [z.output<S>, (patch: Patch, how?: { push?: boolean }) => void] {
  const search = useLocation({ select: (location) => location.searchStr })
  const navigate = useNavigate()
  const state = useMemo(() => schema.parse(parseSearch(search)), [schema, search])
  const change = useCallback(
    (patch: Patch, how: { push?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) => ({ ...now, ...patch }),
        replace: !how.push,
        resetScroll: false,
      })
    },
    [navigate],
  )
  return [state, change]
}
