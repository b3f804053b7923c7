/** The staging environment of the sample: the open-source variant for records, without what needs telemetry or sends anything. */
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { stagingPath } from '#contract/console/stages.ts'
import type { StackDependencies } from '../resources/context.ts'
import { answerUnknownRoute } from './httpErrors.ts'
import { openSourceRoutes } from './openSource.ts'
import type { VariantOptions } from './variantRoutes.ts'

export interface StagingOptions {
  parts: StackDependencies
  /** Until it is removed. Then each of its routes is unknown. */
  isPresent(): boolean
}

const resources: readonly string[] = [
  'alerts',
  'dashboards',
  'dataConnections',
  'sample',
  'savedSearches',
  'sources',
  'webhooks',
]
const withoutFeatures: readonly (string | undefined)[] = ['deliveries', 'metricNames', 'test']

const serves = ({ resource, feature }: Endpoint) => resources.includes(resource) && !withoutFeatures.includes(feature)

export async function stagingRoutes(app: FastifyInstance, options: VariantOptions & StagingOptions): Promise<void> {
  const { isPresent } = options
  app.addHook('onRequest', async (request, reply) => (isPresent() ? undefined : answerUnknownRoute(request, reply)))
  await app.register(openSourceRoutes, { ...options, serves, prefix: stagingPath })
}
