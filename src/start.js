// @ts-check
/** `npm start`: runs the server from a bundle of the present sources. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServers } from './server/bundle.js'

const root = resolve(import.meta.dirname, '..')
const folder = await bundleServers(root, console.log)
await import(pathToFileURL(join(folder, 'server.js')).href)
