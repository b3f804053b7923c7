/** The stored services. */
import { collection } from '../store/collection.ts'
import type { ServiceDocument } from './serviceDocument.ts'

export const serviceRows = collection<ServiceDocument>('services')
