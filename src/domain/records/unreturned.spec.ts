/** A webhook that is created again has lost its headers, unless somebody enters them. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { idOf } from './directory.ts'
import { planRestoration } from './restoration.ts'
import { runPlan } from './run.ts'
import { MemoryDeployment } from './testing/memoryDeployment.ts'
import { asDeploymentReturns, unreturnedFields, withEntered } from './unreturned.ts'

const headers = { authorization: 'Bearer secret' }

async function deleted(service: string) {
  const deployment = new MemoryDeployment('d')
  const { id } = asRecord(await deployment.create('webhooks', { name: 'On call', service, url: 'https://a.example/1' }))
  const moment = deployment.inventory()
  await deployment.remove('webhooks', id)
  return { deployment, plan: planRestoration({ moment, target: deployment.inventory() }) }
}

const asRecord = (record: unknown) => {
  const id = idOf(record as JsonObject) // what the deployment returns for a creation
  return { id }
}

test('headers that are entered are sent, and are found after a lost response', async () => {
  const { deployment, plan } = await deleted('generic')
  const [step] = plan.steps
  expect(step && unreturnedFields(step)).toEqual(['headers', 'queryParams'])
  const completed = withEntered(plan, { 'webhooks/On call': { headers, name: 'Not asked for' }, other: { headers } })
  deployment.onApplied = () => {
    deployment.onApplied = () => {}
    // As the deployment returns it.
    for (const [id, webhook] of deployment.records.webhooks)
      deployment.records.webhooks.set(id, asDeploymentReturns('webhooks', webhook))
    throw new Error('lost')
  }
  const sent: JsonObject[] = []
  const create = deployment.create.bind(deployment)
  deployment.create = (kind, body) => {
    sent.push(body)
    return create(kind, body)
  }
  const control = { begin: () => {}, settle: () => {}, isStopped: () => false, continueOnFailure: false }
  const outcomes = await runPlan(completed.steps, deployment.inventory(), deployment, control)
  expect(outcomes.get('webhooks/On call')).toMatchObject({ state: 'done', found: true })
  expect(sent).toEqual([{ name: 'On call', service: 'generic', url: 'https://a.example/1', headers }])
})

test('Slack refuses them, so nobody is asked', async () => {
  const { plan } = await deleted('slack')
  expect(plan.steps.map(unreturnedFields)).toEqual([[]])
  expect(withEntered(plan, { 'webhooks/On call': { headers } })).toEqual(plan)
})
