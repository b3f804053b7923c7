/** Sends changed settings: the new values in one request, then one request for each reset. */
import { call } from '#console/api/call.ts'
import { ApiFailure, asFailure } from '#console/api/failure.ts'
import { revisionOf } from '#console/api/revisions.ts'
import { serviceSettings, type ServiceSettingList } from '#contract/cloud/services/serviceSettings.ts'
import type { settingsBody, SettingValues } from './settingsForm.ts'

interface SettingsWrite {
  connectionId: string
  serviceId: string
  /** The new values. */
  body: ReturnType<typeof settingsBody>
  reset: readonly string[]
  /** The values that the form started from. */
  before: SettingValues
  /** The revision that the values start from. */
  base: ServiceSettingList
}

export interface SettingsWritten {
  list: ServiceSettingList
  /** The deployment's warnings about the new values. */
  warnings: string[]
}

/** @throws ApiFailure; `conflict` if somebody else changed a setting that is to be reset. What was sent before stays. */
export async function saveSettings(write: SettingsWrite): Promise<SettingsWritten> {
  const { connectionId, serviceId, body, reset, before, base } = write
  const params = { serviceId }
  const readList = () => call(connectionId, serviceSettings.list, { params }, { priority: 'readBack' })
  const answer =
    Object.keys(body.settings).length > 0
      ? await call(connectionId, serviceSettings.update, { params, body }, { base })
      : null
  for (const settingName of reset) {
    const setting = { params: { serviceId, settingName } }
    const stored = await readSetting(connectionId, setting)
    if (stored === null) continue
    if (String(stored.value ?? '') !== before[settingName]) throw conflict(settingName, await readList())
    await call(connectionId, serviceSettings.delete, setting, { base: stored })
  }
  return {
    list: await readList(),
    warnings: (answer?.warnings ?? []).map(({ name, message }) => `${name}: ${message}`),
  }
}

/** Null for one that is not set. */
async function readSetting(connectionId: string, input: { params: { serviceId: string; settingName: string } }) {
  try {
    return await call(connectionId, serviceSettings.get, input, { priority: 'readBack' })
  } catch (error) {
    if (asFailure(error).code === 'notFound') return null
    throw error
  }
}

function conflict(name: string, list: ServiceSettingList): ApiFailure {
  const message = `Somebody else changed ${name} after you opened this page. It was not reset.`
  const current = { result: list, revision: revisionOf(list) }
  return new ApiFailure({ code: 'conflict', status: 409, message, current })
}
