/** The stored data pipes. */
import { collection } from '../../store/collection.ts'
import type { Limit } from '../../store/requireRoom.ts'
import type { PipeDocument } from './pipeDocument.ts'

export const pipeRows = collection<PipeDocument>('pipes', { columns: (pipe) => ({ service_id: pipe.serviceId }) })

export const pipeLimit: Limit = {
  rows: pipeRows,
  most: 500,
  owner: 'An organization',
  records: 'data pipes',
  remedy: 'Delete one first',
}
