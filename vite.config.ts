import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist', target: 'es2023', sourcemap: false, assetsInlineLimit: 0 },
  test: { include: ['src/**/*.spec.{ts,tsx}'], testTimeout: 20_000, restoreMocks: true },
})
