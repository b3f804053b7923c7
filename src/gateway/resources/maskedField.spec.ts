import { expect, test } from 'vitest'
import { maskedField } from './maskedField.ts'
import { mask } from '#node/upstream/masks.ts'

test('masks a field by its own name and by those around it', () => {
  expect(maskedField('webhooks', ['url'], 'https://hooks.example/services/T0/SECRET')).not.toContain('SECRET')
  expect(maskedField('webhooks', ['headers', 'X-Any'], 'SECRET')).toBe(mask)
  expect(maskedField('webhooks', ['headers'], { 'X-Any': 'SECRET' })).toEqual({ 'X-Any': mask })
  expect(maskedField('webhooks', ['name'], 'On call')).toBe('On call')
  expect(maskedField('webhooks', ['url'], undefined)).toBeUndefined()
})

test('leaves what people wrote', () => {
  expect(maskedField('dashboards', ['tiles', { id: 'Errors' }, 'config', 'where'], 'token = 1')).toBe('token = 1')
})
