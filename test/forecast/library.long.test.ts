import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ForecastInput, type ForecastReport, forecast, NudgeLabError } from '../../src/index.ts';
import { parseOutput, runHere } from '../cli/command-context.ts';

const file = 'docs/examples/forecast/office.yaml';
const office = parse(readFileSync(file, 'utf8')) as ForecastInput;

/** Counts the channels to worker threads that prevent the process from exiting. */
function threadsOpen(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

describe('forecasts of the library', { timeout: 30_000 }, () => {
  it('the report equals that of the command, with percentile bands, for any number of threads', async () => {
    const shares: number[] = [];
    const report: ForecastReport = await forecast(office, {
      users: 3_000,
      seeds: 3,
      threads: 1,
      onProgress: (share) => shares.push(share),
    });
    expect(await forecast(office, { users: 3_000, seeds: 3, threads: 2 })).toEqual(report);
    const printed = parseOutput(await runHere(['forecast', file, '--users', '3000', '--seeds', '3', '--json']));
    expect(printed).toMatchObject(JSON.parse(JSON.stringify(report)) as object);
    expect(report.daily).toHaveLength(90);
    expect(report.bands?.prompts.high).toHaveLength(90);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  });

  it('random seeds continue at 0 after the largest one', async () => {
    const { seeds } = await forecast({ ...office, seed: 2 ** 32 - 2 }, { users: 50, seeds: 4, threads: 1 });
    expect(seeds).toEqual([4_294_967_294, 4_294_967_295, 0, 1]);
  });

  it('a forecast leaves no thread running', async () => {
    const before = threadsOpen();
    await forecast(office, { users: 300, threads: 2 });
    expect(threadsOpen()).toBe(before);
  });

  it('forecast-invalid: every fault has its location, and a value that is not a description is rejected', async () => {
    const wrong = { ...office, days: 0, segments: [] } as unknown as ForecastInput;
    const failure = await forecast(wrong).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NudgeLabError);
    expect(failure).toMatchObject({ code: 'forecast-invalid' });
    const places = (failure as NudgeLabError).problems.map(({ location: place }) => place);
    expect(places).toEqual(expect.arrayContaining(['description.days', 'description.segments']));
    for (const none of [null, 'tenant.yaml', []]) {
      await expect(forecast(none as unknown as ForecastInput)).rejects.toMatchObject({ code: 'forecast-invalid' });
    }
  });

  it('usage-invalid: options out of range are named', async () => {
    const options = { users: 1.5, seeds: 0, threads: -1, budgetMs: Number.NaN };
    await expect(forecast(office, options)).rejects.toMatchObject({
      code: 'usage-invalid',
      problems: [{ location: 'users' }, { location: 'seeds' }, { location: 'threads' }, { location: 'budgetMs' }],
    });
  });
});
