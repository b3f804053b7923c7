/** Navigation, breadcrumbs and titles, read from the routes. */
import { useMatches, useRouter, type AnyRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCached } from '#console/api/cache/useCached.ts'
import { sessionQuery } from '#console/api/session.ts'
import { onConnection } from '#console/paths/paths.ts'
import type { CreateData, NavData } from './routeData.ts'

export interface NavEntry extends NavData {
  title: string
  /** The route's path, parameters as `$name`. */
  template: string
}

/** The entries of the navigation for who is signed in, in the order of the routes. */
export function useNavEntries(): NavEntry[] {
  const router = useRouter()
  const isLimited = useCached(sessionQuery.queryKey, isLimitedSession) ?? false
  return useMemo(() => {
    const routes: AnyRoute[] = Object.values(router.routesById)
    return routes.flatMap((route): NavEntry[] => {
      const { title, nav } = route.options.staticData ?? {}
      if (!title || !nav || nav.audience === (isLimited ? 'administrators' : 'others')) return []
      return [{ ...nav, title, template: withoutSlash(route.fullPath) }]
    })
  }, [router, isLimited])
}

function isLimitedSession(session: unknown): boolean {
  return typeof session === 'object' && session !== null && 'limited' in session
}

export interface CreateEntry extends CreateData {
  title: string
  template: string
}

/** What can be made, in the order of the routes. */
export function useCreateEntries(): CreateEntry[] {
  const router = useRouter()
  return useMemo(() => {
    const routes: AnyRoute[] = Object.values(router.routesById)
    return routes.flatMap((route): CreateEntry[] => {
      const { title, creates } = route.options.staticData ?? {}
      return title && creates ? [{ title, ...creates, template: withoutSlash(route.fullPath) }] : []
    })
  }, [router])
}

const withoutSlash = (path: string) => path.replace(/(.)\/$/, '$1')

/** Where an entry leads, for a connection. Entries of the console itself need none. */
export function entryPath(entry: { template: string }, connectionId: string | undefined): string {
  if (!entry.template.includes('$connectionId')) return entry.template
  return connectionId === undefined ? '/connections' : onConnection(entry.template, connectionId)
}

interface Crumb {
  title: string
  path: string
  template: string
}

/** The titles from the top down to the open page; a record's own name where it is known. */
export function useCrumbs(): Crumb[] {
  const titled = useMatches().filter((match) => match.staticData.title !== undefined)
  const record = titled.findLast((match) => match.staticData.record)
  const name = useCached(record?.staticData.record?.(record.params) ?? [], (read) =>
    nameOf(Array.isArray(read) ? itemOf(read, record?.params ?? {}) : read),
  )
  return titled.map((match) => ({
    title: (match === record && name) || (match.staticData.title ?? ''),
    path: withoutSlash(match.pathname),
    template: withoutSlash(match.fullPath),
  }))
}

/** What the API has no read for is found in its list, by the id in the address. */
function itemOf(list: readonly unknown[], params: Record<string, string>): unknown {
  const ids = Object.values(params)
  return list.find((item) => typeof item === 'object' && item !== null && 'id' in item && ids.includes(String(item.id)))
}

function nameOf(record: unknown): string | undefined {
  const named = typeof record === 'object' && record !== null && 'name' in record ? record.name : undefined
  return typeof named === 'string' && named !== '' ? named : undefined
}
