// Runs a thread from the sources: it does not inherit the loader of its process.
import { workerData } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
await import(workerData)
