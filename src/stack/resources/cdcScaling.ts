/** The size that all database pipes of a service share: docs/DEPLOYMENTS.md#scaling-of-pipes. */
import { z } from 'zod'
import type { Handlers } from '#contract/wire/kernel.ts'
import { cdcRatioProblem, type CdcScaling } from '#contract/cloud/pipes/pipeScaling.ts'
import type { pipes } from '#contract/cloud/pipes/pipes.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { StackContext } from './context.ts'
import { InvalidInput, Refusal } from '../refusal.ts'
import { familyOf } from '../pipes/model/pipeDocument.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import type { Queries } from '../store/store.ts'
import { isDue } from '../documents/pendingChange.ts'
import { serviceNow } from '../documents/serviceRows.ts'

const size = z.object({ replicaCpuMillicores: z.number(), replicaMemoryGb: z.number() })
const stored = z.object({ size, next: z.object({ size, at: z.string() }).optional() })

const firstSize = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

const settingName = (serviceId: string) => `cdcScaling ${serviceId}`

type StoredScaling = z.output<typeof stored>

/** The size as it is stored, and the one that was requested with the time at which it takes effect. */
export async function readCdcScaling(queries: Queries, serviceId: string): Promise<StoredScaling> {
  return (await readSetting(queries, settingName(serviceId), stored)) ?? { size: firstSize }
}

export function writeCdcScaling(queries: Queries, serviceId: string, scaling: StoredScaling): Promise<void> {
  return writeSetting(queries, settingName(serviceId), scaling)
}

/** The current size. @throws Refusal 404 if the service has no database pipe */
export async function cdcScalingNow(queries: Queries, serviceId: string): Promise<StoredScaling> {
  const service = await serviceNow(queries, serviceId)
  if (!(await hasDatabasePipe(queries, service.id))) {
    throw new Refusal(404, `service "${service.id}" has no database pipe`)
  }
  const known = await readCdcScaling(queries, service.id)
  return known.next && isDue(known.next, currentTime()) ? { size: known.next.size } : known
}

async function hasDatabasePipe(queries: Queries, serviceId: string): Promise<boolean> {
  const all = await pipeRows.all(queries)
  return all.some((pipe) => pipe.serviceId === serviceId && familyOf(pipe) === 'database')
}

/** Removes the size with the last database pipe. The next one starts with the default. */
export async function deleteUnusedCdcScaling(queries: Queries, serviceId: string): Promise<void> {
  if (await hasDatabasePipe(queries, serviceId)) return
  await queries.run('DELETE FROM settings WHERE name = ?', [settingName(serviceId)])
}

export const cdcScalingHandlers: Pick<Handlers<typeof pipes, StackContext>, 'cdcScaling' | 'updateCdcScaling'> = {
  async cdcScaling({ params }, { store }) {
    return (await cdcScalingNow(store, params.serviceId)).size
  },

  updateCdcScaling({ params, body }, { store, cloud }) {
    return store.write(async (transaction): Promise<CdcScaling> => {
      const now = await cdcScalingNow(transaction, params.serviceId)
      // A field that is left out keeps its requested value.
      const wanted = { ...(now.next?.size ?? now.size), ...body }
      const problem = cdcRatioProblem(wanted)
      if (problem) {
        const issue = { path: 'replicaMemoryGb', message: problem, input: wanted.replicaMemoryGb }
        throw new InvalidInput([{ part: 'Body', issues: [issue] }])
      }
      const next = { size: wanted, at: cloud.convergesAt() }
      await writeCdcScaling(transaction, params.serviceId.toLowerCase(), { size: now.size, next })
      return now.size
    })
  },
}
