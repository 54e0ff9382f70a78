/** What playwright.ts uses of @playwright/test, which is not a dependency: the project of the user has it. */
declare module '@playwright/test' {
  export interface PlaywrightTestArgs {}
  export interface PlaywrightTestOptions {}
  export interface PlaywrightWorkerArgs {}
  export interface PlaywrightWorkerOptions {}
  interface TestInfo {
    readonly status?: string
    readonly expectedStatus: string
    readonly file: string
    readonly titlePath: readonly string[]
    attach(name: string, options: { body: string; contentType: string }): Promise<void>
  }
  export interface TestType<TestArgs extends object, WorkerArgs extends object> {
    extend<T extends object>(
      fixtures: {
        [K in keyof T]: (
          args: TestArgs & WorkerArgs,
          use: (value: T[K]) => Promise<void>,
          testInfo: TestInfo,
        ) => Promise<void>
      },
    ): TestType<TestArgs & T, WorkerArgs>
  }
  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >
}
