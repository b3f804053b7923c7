/** The two connections to the local stack, and their rate limits. */
import type { BudgetRule, BudgetRules } from '#node/upstream/requestBudget.ts'
import type { Seed } from '#gateway/connections/connections.ts'
import { localUrl } from '#stack/startup/ports.ts'
import type { Settings } from './serverSettings.ts'
import type { StackReady } from './stackSupervisor.ts'

export function seedsFor({ credentials, ports }: StackReady, settings: Settings): Seed[] {
  const common = {
    baseUrl: localUrl(settings.HOST, ports.api),
    naming: settings.NAMING,
    stage: 'local',
    allowPrivate: true,
  } as const
  const { personalAccessKey, keyId, keySecret, organizationId, serviceId } = credentials
  return [
    {
      ...common,
      id: 'local-open-source',
      name: 'Local (open source)',
      variant: 'openSource',
      accessKey: personalAccessKey,
    },
    {
      ...common,
      id: 'local-managed',
      name: 'Local (managed)',
      variant: 'managed',
      organizationId,
      serviceId,
      keyId,
      keySecret,
    },
  ]
}

/** The local stack's limits are settings. Only one of its variants reports them in its responses. */
export function budgetsFor({ ports }: StackReady, settings: Settings): Record<string, BudgetRules> {
  return {
    [localUrl(settings.HOST, ports.api)]: {
      openSource: rule(settings.RATE_LIMIT_OPEN_SOURCE, 60_000),
      managed: rule(settings.RATE_LIMIT_MANAGED, 10_000),
    },
  }
}

function rule(limit: number, window: number): BudgetRule {
  return { limit: limit === 0 ? Number.POSITIVE_INFINITY : limit, window }
}
