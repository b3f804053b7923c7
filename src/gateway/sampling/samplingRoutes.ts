/** The endpoints for the samples of a connection's pipes and services. Requests to them keep the sampling going. */
import { pagePaths } from '#contract/console/pagePaths.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import { pipeSamplesQuery } from '#contract/console/sampling/pipeSamples.ts'
import { serviceLoadQuery, serviceSamplesQuery } from '#contract/console/sampling/serviceSamples.ts'
import { sizePredictionInput } from '#contract/console/sampling/sizeLoads.ts'
import { parsed, routePath } from '../http/requests.ts'
import type { Samplers } from './samplers.ts'
import type { SizePredictions } from './sizePredictions.ts'

const params = z.object({ connectionId: pathId })

export function registerSampling(app: FastifyInstance, samplers: Samplers, predictions: SizePredictions): void {
  const url = pagePaths.pipeSamples.replace('{connectionId}', ':connectionId')
  app.get(url, (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const query = parsed(pipeSamplesQuery, request.query, 'The query')
    return samplers.pipes({ ...query, connectionId, sessionKey: request.sessionKey })
  })
  app.get(pagePaths.serviceSamples.replace('{connectionId}', ':connectionId'), (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const query = parsed(serviceSamplesQuery, request.query, 'The query')
    return samplers.service({ ...query, connectionId, sessionKey: request.sessionKey })
  })
  app.get(pagePaths.serviceLoad.replace('{connectionId}', ':connectionId'), (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const query = parsed(serviceLoadQuery, request.query, 'The query')
    return samplers.serviceLoad({ ...query, connectionId, sessionKey: request.sessionKey })
  })
  app.get(routePath(pagePaths.sizeLoads), (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    return samplers.sizeLoads({ connectionId, sessionKey: request.sessionKey })
  })
  app.post(routePath(pagePaths.sizePredictions), (request) => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    return predictions.add(connectionId, parsed(sizePredictionInput, request.body, 'The expected use'))
  })
}
