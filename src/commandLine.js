#!/usr/bin/env node
// @ts-check
/** The program `stack-console`: runs the command line from a bundle of the present sources. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServers } from './server/bundle.js'

const root = resolve(import.meta.dirname, '..')
const folder = await bundleServers(root, (line) => process.stderr.write(`${line}\n`))
await import(pathToFileURL(join(folder, 'cli.js')).href)
