/** The stored data pipes. */
import { collection } from '../../store/collection.ts'
import type { PipeDocument } from './pipeDocument.ts'

export const pipeRows = collection<PipeDocument>('pipes', { columns: (pipe) => ({ service_id: pipe.serviceId }) })
