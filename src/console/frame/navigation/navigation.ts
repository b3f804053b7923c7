/** Navigation, breadcrumbs and titles, read from the routes. */
import { useMatches, useRouter, type AnyRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCached } from '#console/api/cache/useCached.ts'
import { useOffers } from '#console/api/offers/offers.ts'
import { sessionQuery } from '#console/api/session.ts'
import { onConnection, paths } from '#console/paths/paths.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { settingsGroups, type CreateData, type NavData } from '#console/shell/routeData.ts'

export interface NavEntry extends NavData {
  title: string
  /** The route's path, parameters as `$name`. */
  template: string
}

/** The entries of the navigation, of Settings and of tabs for the signed-in person, in the order of the routes. */
export function useNavEntries(): NavEntry[] {
  const entries = useEveryEntry()
  const isLimited = useCached(sessionQuery.queryKey, isLimitedSession) ?? false
  const hidden = isLimited ? 'administrators' : 'others'
  return useMemo(() => entries.filter(({ audience }) => audience !== hidden), [entries, hidden])
}

/** By router, so that an entry is the same object for every component. */
const everyEntry = new WeakMap<object, NavEntry[]>()

/** All entries, including those that this person does not see. */
function useEveryEntry(): NavEntry[] {
  const router = useRouter()
  const known = everyEntry.get(router)
  if (known) return known
  const routes: AnyRoute[] = Object.values(router.routesById)
  const entries = routes.flatMap((route): NavEntry[] => {
    const { title, nav } = route.options.staticData ?? {}
    return title && nav ? [{ ...nav, title, template: withoutSlash(route.fullPath) }] : []
  })
  everyEntry.set(router, entries)
  return entries
}

function isLimitedSession(session: unknown): boolean {
  return typeof session === 'object' && session !== null && 'limited' in session
}

interface OpenPlace {
  /** The entry that the open page belongs to, by its address. */
  entry: NavEntry | undefined
  /** The one that is listed for it: of its section, where it is a tab. */
  listed: NavEntry | undefined
  inSettings: boolean
}

/** Where the open page belongs. */
export function useOpenPlace(): OpenPlace {
  const entries = useEveryEntry()
  const template = useMatches({ select: (matches) => withoutSlash(matches.at(-1)?.fullPath ?? '') })
  const section = useMatches({ select: (matches) => matches.at(-1)?.staticData.section })
  return placeOf(entries, template, section)
}

/** @param ownSection of a page that is no entry itself */
export function placeOf(
  entries: readonly NavEntry[],
  template: string,
  ownSection: NavData['section'] | undefined,
): OpenPlace {
  const entry = entries.find(
    (navEntry) => template === navEntry.template || template.startsWith(`${navEntry.template}/`),
  )
  const section = entry ? entry.section : ownSection
  const leading = section && entries.find((navEntry) => navEntry.group && navEntry.section === section)
  const listed = entry?.group ? entry : leading
  const inSettings = listed?.group === 'Settings' || settingsGroups.some((group) => group === listed?.group)
  return { entry, listed, inSettings }
}

/** Why the connection of the frame has no use for a page; undefined if it has. */
export function useUnavailable(): (entry: NavEntry) => string | undefined {
  const { connection, connections } = useFrameConnection()
  const offerOf = useOffers(connection)
  return ({ needs }) => {
    if (!needs) return undefined
    const { reason } = offerOf(needs.resource, needs.variants)
    const leadsElsewhere = needs.orElsewhere && connections.some(({ variant }) => needs.variants.includes(variant))
    return leadsElsewhere ? undefined : reason
  }
}

export interface CreateEntry extends CreateData {
  title: string
  template: string
}

/** Records that can be created, in the order of the routes. */
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
  return connectionId === undefined ? paths.connections() : onConnection(entry.template, connectionId)
}

interface Crumb {
  title: string
  path: string
  template: string
}

/** Where the open page is listed, for the steps above its own: Settings, and the section that it is a tab of. */
export function useParentCrumbs(): Crumb[] {
  const { connection } = useFrameConnection()
  const { entry, listed, inSettings } = useOpenPlace()
  const settings = { title: 'Settings', path: paths.settings(), template: paths.settings() }
  const isTab = listed !== undefined && listed !== entry
  return [
    ...(inSettings && listed?.group !== 'Settings' ? [settings] : []),
    ...(isTab ? [{ title: listed.title, path: entryPath(listed, connection?.id), template: listed.template }] : []),
  ]
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

/** Records without a read of their own are found in its list, by the id in the address. */
function itemOf(list: readonly unknown[], params: Record<string, string>): unknown {
  const ids = Object.values(params)
  return list.find((item) => typeof item === 'object' && item !== null && 'id' in item && ids.includes(String(item.id)))
}

function nameOf(record: unknown): string | undefined {
  const named = typeof record === 'object' && record !== null && 'name' in record ? record.name : undefined
  return typeof named === 'string' && named !== '' ? named : undefined
}
