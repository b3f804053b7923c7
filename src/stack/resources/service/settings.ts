/** Database settings of services: stored and returned, and checked by what the engine knows. They do not change it. */
import type { Handlers } from '#contract/wire/kernel.ts'
import { settingsIn, type serviceSettings } from '#contract/cloud/services/serviceSettings.ts'
import { changeService, serviceNow } from '../../documents/serviceRows.ts'
import { InvalidInput, Refusal } from '../../refusal.ts'
import type { StackContext } from '../context.ts'
import { settingProblem, settingSchemas } from './settingSchemas.ts'

export const serviceSettingHandlers: Handlers<typeof serviceSettings, StackContext> = {
  async list({ params }, { store }) {
    const { internal } = await serviceNow(store, params.serviceId)
    return { settings: Object.entries(internal?.settings ?? {}).map(([name, value]) => ({ name, value })) }
  },

  async schema({ params }, { store }) {
    await serviceNow(store, params.serviceId)
    return { settings: [...settingSchemas] }
  },

  async get({ params }, { store }) {
    const { internal } = await serviceNow(store, params.serviceId)
    const value = internal?.settings?.[params.settingName]
    if (value === undefined) throw new Refusal(404, params.settingName)
    return { name: params.settingName, value }
  },

  async update({ params, body }, context) {
    const requested = settingsIn(body.settings) ?? {}
    const problems = Object.entries(requested).flatMap(([name, value]) => settingProblem(name, value) ?? [])
    if (problems.length > 0) {
      const issues = problems.map((message) => ({ path: 'settings', message, input: body.settings }))
      throw new InvalidInput([{ part: 'Body', issues }])
    }
    const { internal } = await changeService(context, params.serviceId, (service) => ({
      ...service,
      internal: { ...service.internal, settings: { ...service.internal?.settings, ...requested } },
    }))
    const warnings = settingSchemas.flatMap(({ name, warning }) =>
      warning && name in requested ? [{ name, message: warning }] : [],
    )
    const settings = internal?.settings ?? {}
    return { settings: typeof body.settings === 'string' ? JSON.stringify(settings) : settings, warnings }
  },

  async delete({ params }, context) {
    await changeService(context, params.serviceId, (service) => {
      const { [params.settingName]: _removed, ...settings } = service.internal?.settings ?? {}
      return { ...service, internal: { ...service.internal, settings } }
    })
    return undefined
  },
}
