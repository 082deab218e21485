import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'page',
  plugins: [react()],
  resolve: { conditions: ['@svc/source', 'module', 'browser', 'import', 'default'] },
  build: { outDir: '../dist/page', emptyOutDir: true, target: 'es2022' },
});
