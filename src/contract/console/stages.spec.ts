import { expect, test } from 'vitest'
import { initialStage } from './stages.ts'

test.each([
  'http://localhost:8000',
  'http://LOCALHOST',
  'https://stack.localhost/prefix',
  'http://127.0.0.1:8000',
  'http://127.9.8.7/',
  'http://[::1]:8000/x',
])('%s is local', (address) => expect(initialStage(address)).toBe('local'))

test.each([
  'https://observability.example.com:8000',
  'http://10.0.0.4:8000',
  'http://192.168.1.2',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://notlocalhost:8000',
  'https://example.com/localhost',
  'http://[fd00::1]:8000',
])('%s is production by default', (address) => expect(initialStage(address)).toBe('production'))
