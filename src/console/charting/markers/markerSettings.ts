/** Which changes charts mark in this browser: kept in local storage, like all settings of the page. */
import { Store, useStore } from '@tanstack/react-store'
import { markerKinds, type MarkerKind } from '#contract/console/markerKinds.ts'

interface MarkerSettings {
  shown: boolean
  /** Kinds that are not shown. */
  hidden: readonly MarkerKind[]
  /** The service whose deployments are shown; empty for all. */
  service: string
}

const key = 'stack-console.markers'

/** Accepts what is valid and uses defaults otherwise: the storage can contain anything. */
export function parseMarkerSettings(text: string | null): MarkerSettings {
  try {
    const { shown, hidden, service }: Record<string, unknown> = Object(JSON.parse(text ?? '{}'))
    const named: readonly unknown[] = Array.isArray(hidden) ? hidden : []
    return {
      shown: shown !== false,
      hidden: markerKinds.filter((kind) => named.includes(kind)),
      service: typeof service === 'string' ? service : '',
    }
  } catch {
    return { shown: true, hidden: [], service: '' }
  }
}

function load(): MarkerSettings {
  try {
    return parseMarkerSettings(localStorage.getItem(key))
  } catch {
    return parseMarkerSettings(null)
  }
}

const store = new Store<MarkerSettings>(load())

export const useMarkerSettings = () => useStore(store)

function change(part: Partial<MarkerSettings>): void {
  store.setState((all) => ({ ...all, ...part }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // A browser that keeps nothing still works; it only forgets.
  }
}

export const toggleMarkers = () => change({ shown: !store.state.shown })

export function showKind(kind: MarkerKind, on: boolean): void {
  const others = store.state.hidden.filter((other) => other !== kind)
  change({ hidden: on ? others : [...others, kind], shown: true })
}

export const showService = (service: string) => change({ service, shown: true })

/** Deployments of other services are left out; what belongs to no service is not. */
export const isOfService = ({ release }: { release?: { service?: string | undefined } | undefined }, service: string) =>
  service === '' || release?.service === undefined || release.service === service

/** The kinds to ask for. */
export const shownKinds = ({ hidden }: MarkerSettings): MarkerKind[] =>
  markerKinds.filter((kind) => !hidden.includes(kind))
