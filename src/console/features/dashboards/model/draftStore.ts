/** Drafts of dashboards in local storage, one per dashboard: the version that was read and the edited one. */
import { dashboard as dashboardSchema, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'

interface StoredDraft {
  /** The dashboard at the start of editing. */
  base: Dashboard
  draft: Dashboard
  /** Epoch milliseconds of the last change. */
  at: number
}

const keyOf = (connectionId: string, dashboardId: string) => `stack-console.draft/${connectionId}/${dashboardId}`

/** The stored draft; null if there is none or it cannot be read. */
export function loadDraft(connectionId: string, dashboardId: string): StoredDraft | null {
  try {
    const draftFile: unknown = parseJson(localStorage.getItem(keyOf(connectionId, dashboardId)) ?? 'null')
    if (!isPlainObject(draftFile)) return null
    return {
      base: dashboardSchema.parse(draftFile.base),
      draft: dashboardSchema.parse(draftFile.draft),
      at: Number(draftFile.at),
    }
  } catch {
    return null
  }
}

/** Stores a draft. @returns whether the browser stored it */
export function storeDraft(connectionId: string, dashboardId: string, draft: StoredDraft): boolean {
  try {
    localStorage.setItem(keyOf(connectionId, dashboardId), stringifyJson(draft))
    return true
  } catch {
    return false
  }
}

export function deleteDraft(connectionId: string, dashboardId: string): void {
  try {
    localStorage.removeItem(keyOf(connectionId, dashboardId))
  } catch {
    // Without browser storage there is nothing to remove.
  }
}
