/** Settings of this browser: kept in local storage, shared by all parts of the page. Never holds a secret. */
import { Store, useStore } from '@tanstack/react-store'
import { isZone, type Zone } from '#domain/time/zone.ts'

interface BrowserSettings {
  /** Single keys such as `n` and `g a`; some people need them off (WCAG 2.1.4). */
  singleKeys: boolean
  navFolded: boolean
  /** The connection that was used last. */
  connectionId: string
  /** Ids of palette entries, newest first. */
  recents: string[]
  /** The time zone that was chosen last: that of pages whose URL has none. */
  zone: Zone
  /** `connectionId/dashboardId`, in the order in which they were chosen. */
  favoriteDashboards: string[]
  /** `connectionId/dashboardId` of those that were opened, newest first. */
  recentDashboards: string[]
  /** The step of the tour that is shown, 1 for the first; 0 while it is offered. */
  tour: number | 'dismissed'
  /** The tour was offered when Home was open last: its place is kept free until that is known again. */
  tourOffered: boolean
}

const key = 'stack-console.settings'

/** Accepts values of the right type and uses defaults otherwise: the storage can contain anything. */
export function parseBrowserSettings(text: string | null): BrowserSettings {
  const parsed = asRecord(text)
  return {
    singleKeys: parsed.singleKeys !== false,
    navFolded: parsed.navFolded === true,
    connectionId: typeof parsed.connectionId === 'string' ? parsed.connectionId : '',
    recents: texts(parsed.recents),
    zone: typeof parsed.zone === 'string' && isZone(parsed.zone) ? parsed.zone : 'local',
    favoriteDashboards: texts(parsed.favoriteDashboards),
    recentDashboards: texts(parsed.recentDashboards),
    tour: parsed.tour === 'dismissed' ? 'dismissed' : stepOf(parsed.tour),
    tourOffered: parsed.tourOffered === true,
  }
}

const stepOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

function asRecord(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function load(): BrowserSettings {
  try {
    return parseBrowserSettings(localStorage.getItem(key))
  } catch {
    return parseBrowserSettings(null)
  }
}

const store = new Store<BrowserSettings>(load())

export function useBrowserSetting<K extends keyof BrowserSettings>(name: K): BrowserSettings[K] {
  return useStore(store, (all) => all[name])
}

export const browserSettings = () => store.state

export function setBrowserSettings(change: Partial<BrowserSettings>): void {
  store.setState((all) => ({ ...all, ...change }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // A browser that keeps nothing still works; it only forgets.
  }
}

/** The time zone that was chosen last: that of a page whose URL has none, or one that does not exist. */
export const chosenZone = (): Zone => store.state.zone
