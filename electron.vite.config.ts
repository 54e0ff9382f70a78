import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { minifySync } from 'vite'

// Three builds. The main one has an entry for each host, Electron and plain Node, and those of the library: scripts/library.mjs adds its
// types. A sandboxed preload must be CommonJS.
export default defineConfig({
  main: {
    plugins: [
      {
        // For JSON Schemas from elsewhere; ours are those of zod. 300 kB.
        name: 'without-ajv',
        load: (id) =>
          /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/.test(id)
            ? `import process from 'node:process'\nclass None {}\nexport { None as DefaultJsonSchemaValidator, process }`
            : undefined,
      },
      {
        // 110 kB, in the stack of no error of ours.
        name: 'short-names-in-the-sdk-of-mcp',
        transform: (code, id) =>
          /node_modules\/@modelcontextprotocol\//.test(id)
            ? minifySync(id, code, { module: true, mangle: true, compress: false }).code
            : undefined,
      },
      {
        // Express loads its readers of bodies with their tables of character sets. Nothing uses them: src/api/http/body.ts reads bodies.
        name: 'without-body-parser',
        load: (id) => (/node_modules\/body-parser\/index\.js$/.test(id) ? 'module.exports = {}' : undefined),
      },
    ],
    build: {
      // One file with what it needs of its packages is read in two thirds of the time that hundreds of files take.
      externalizeDeps: false,
      target: 'node20.19',
      rollupOptions: {
        input: {
          electron: 'src/main/electron.ts',
          index: 'src/main/index.ts',
          cli: 'src/main/cli.ts',
          ...Object.fromEntries(
            ['index', 'child', 'vitest', 'playwright'].map((name) => [
              `library/${name}`,
              `src/main/library/${name}.ts`,
            ]),
          ),
        },
        // Each start reads it: without blanks and comments in nine tenths of the time. Names stay, for the stack of an error.
        output: {
          minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
          // Each file that a command reads takes a millisecond: what all commands share is one, what finds a sandbox another.
          codeSplitting: {
            groups: [
              {
                name: 'command-line',
                test: /main\/(command-line|app-paths|process-host|commands\/(command|describe|table|paint|parse|runners|closest))\.|terms\/texts\.|describe\/key\.|package\.json/,
              },
              {
                name: 'running',
                test: /main\/(commands\/running|runtime-files)\.|api\/system\/|sign-token\./,
              },
            ],
          },
        },
        // The fixtures use the test runner of the project that imports them.
        external: ['vitest', '@playwright/test'],
      },
    },
  },
  preload: {
    build: {
      rollupOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react()],
    build: {
      minify: true,
      chunkSizeWarningLimit: 800,
      rollupOptions: {
        input: { index: 'src/renderer/index.html' },
        // A chunk for the first screen, which needs no schema, one for the contract, one for what the other screens share, and one
        // for each of them: without the groups a window loads a hundred small files.
        output: {
          codeSplitting: {
            groups: [
              { name: 'index', tags: ['$initial'], priority: 3 },
              { name: 'contract', test: /node_modules\/zod|src\/api\/contract/, priority: 2 },
              { name: 'screens', minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
  },
})
