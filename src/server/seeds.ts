/** The connections to the local stack and to the staging environment of its sample, and their rate limits. With STACK_URL, they lead to a balancer in front of several. */
import { stagingPath } from '#contract/console/stages.ts'
import type { BudgetRule, BudgetRules } from '#node/upstream/requestBudget.ts'
import type { Seed } from '#gateway/connections/connections.ts'
import { localUrl } from '#stack/startup/ports.ts'
import { consoleDatabaseUrl } from './consoleDatabase.ts'
import type { Settings } from './serverSettings.ts'
import type { StackReady } from './stackSupervisor.ts'

export function seedsFor({ credentials, ports }: StackReady, settings: Settings): Seed[] {
  const common = {
    baseUrl: stackUrl(settings, ports.api),
    naming: settings.NAMING,
    stage: 'local',
    allowPrivate: true,
  } as const
  const { personalAccessKey, keyId, keySecret, organizationId, serviceId, stagingAccessKey } = credentials
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
    // Each stack makes its own staging environment: behind a balancer, or with a shared database, there could be several.
    ...(stagingAccessKey !== undefined && settings.STACK_URL === undefined && !consoleDatabaseUrl(settings)
      ? [
          {
            ...common,
            id: 'sample-staging',
            name: 'Sample staging',
            variant: 'openSource' as const,
            baseUrl: common.baseUrl + stagingPath,
            stage: 'staging' as const,
            accessKey: stagingAccessKey,
            temporary: true as const,
          },
        ]
      : []),
  ]
}

/** The local stack's limits are settings. Only one of its variants reports them in its responses. */
export function budgetsFor({ ports }: StackReady, settings: Settings): Record<string, BudgetRules> {
  return {
    [new URL(stackUrl(settings, ports.api)).origin]: {
      openSource: rule(settings.RATE_LIMIT_OPEN_SOURCE, 60_000),
      managed: rule(settings.RATE_LIMIT_MANAGED, 10_000),
    },
  }
}

/** Where the connections to the local stack lead. @param port of its API */
export function stackUrl({ HOST, STACK_URL }: Settings, port: number): string {
  return STACK_URL === undefined ? localUrl(HOST, port) : STACK_URL.replace(/\/$/, '')
}

function rule(limit: number, window: number): BudgetRule {
  return { limit: limit === 0 ? Number.POSITIVE_INFINITY : limit, window }
}
