import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from './exchange.test.double.ts';
import type { Exchange } from './exchange.ts';
import { Forecast, type ForecastLimits } from './forecast.ts';

const at = (startedAt: number, status = 200, operation: 'login' | 'list' = 'list'): Exchange => ({
  ...exchangeOf(answerOf(status), { operation }),
  startedAt,
  durationMs: 1,
});

const MINUTES = 60_000;

function forecastWith(limits: Partial<ForecastLimits> = {}): { forecast: Forecast; said: string[] } {
  const said: string[] = [];
  const forecast = new Forecast(
    { effort: 'standard', share: 1, maxTimeMs: 10 * MINUTES, ...limits },
    (sentence) => said.push(sentence),
  );
  return { forecast, said };
}

/** So many answers from a moment on, one each millisecond. */
function hear(forecast: Forecast, from: number, count: number, operation?: 'login'): void {
  for (let step = 0; step < count; step++) forecast.heard(at(from + step, 200, operation));
}

test('60 requests a minute are too few for standard, which the first deferral shows; the effort that fits is named', () => {
  const { forecast, said } = forecastWith();
  hear(forecast, 1_000, 60);
  forecast.deferred(at(1_060, 429), 60_000 - 61);
  expect(said).toEqual([
    'The target lets about 60 requests a minute through: at that rate the effort standard takes 26 min, but the run ends after 10 min and leaves the rest undecided. The effort quick takes 6 min. For standard, set CONFORMANCE_MAX_TIME_S to 1872 or more.',
  ]);
  expect(forecast.said).toBe(said[0]);
});

test('where no effort fits, none is named', () => {
  const { forecast, said } = forecastWith({ effort: 'quick' });
  hear(forecast, 0, 10);
  forecast.deferred(at(10, 429), 59_989);
  expect(said).toEqual([
    expect.stringMatching(
      /^The target lets about 10 requests a minute through: .* undecided\. For quick, set /,
    ),
  ]);
});

test('a burst in front of a slow rate counts for little once the rate is seen, and is told once', () => {
  const { forecast, said } = forecastWith();
  hear(forecast, 0, 500);
  // One request a second from here on.
  for (let second = 1; second < 30; second++) {
    forecast.deferred(at(second * 1_000, 429), 999);
    if (second <= 10) expect(said).toEqual([]);
    hear(forecast, (second + 1) * 1_000, 1);
  }
  expect(said).toHaveLength(1);
});

test('a fast target, one whose pauses are short, and a single 503 with a long one give no reason to say anything', () => {
  const { forecast, said } = forecastWith();
  hear(forecast, 0, 100);
  forecast.deferred(at(100, 429), 1_000);
  hear(forecast, 1_200, 100);
  forecast.deferred(at(1_300, 503), 300_000);
  expect(said).toEqual([]);
});

test('503 without a time to wait, as some targets answer at random, is told once the run has its pace', () => {
  const { forecast, said } = forecastWith();
  for (let second = 0; second < 33; second++) {
    forecast.deferred(at(second * 1_000, 503), 250);
    hear(forecast, second * 1_000 + 500, 3);
  }
  expect(said).toEqual([]);
  for (let second = 33; second < 300; second++) {
    forecast.deferred(at(second * 1_000, 503), 250);
    hear(forecast, second * 1_000 + 500, 2);
  }
  expect(said).toEqual([expect.stringContaining('lets about 156')]);
  // The run tells it once, but knows better at its end.
  expect(forecast.said).toContain('lets about 12');
});

test('requests that are deferred together are one reason', () => {
  const { forecast, said } = forecastWith();
  hear(forecast, 0, 100);
  forecast.deferred(at(100, 503), 120_000);
  forecast.deferred(at(100, 503), 120_000);
  expect(said).toEqual([]);
});

test('logins have a rate of their own', () => {
  const { forecast, said } = forecastWith();
  for (const minute of [0, 1]) {
    expect(said).toEqual([]);
    hear(forecast, minute * MINUTES, 3, 'login');
    hear(forecast, minute * MINUTES + 3, 500);
    forecast.deferred(at(minute * MINUTES + 503, 429, 'login'), MINUTES - 504);
  }
  expect(said).toEqual([
    expect.stringMatching(/^The target lets about 3 logins a minute through: .* takes 13 min/),
  ]);
});

test('where other requests are deferred as well, it is no rate of logins', () => {
  const { forecast, said } = forecastWith();
  hear(forecast, 0, 3, 'login');
  forecast.deferred(at(3, 429, 'login'), 6_000);
  hear(forecast, 7_000, 3, 'login');
  forecast.deferred(at(7_003, 429), 6_000);
  forecast.deferred(at(14_000, 429, 'login'), 6_000);
  expect(said).toEqual([]);
});

test('what removing tags takes beyond the usual is the longest pause, and the requests at the rate', () => {
  const { forecast } = forecastWith();
  expect(forecast.limitedMs(100)).toBe(0);
  hear(forecast, 0, 60);
  forecast.deferred(at(60, 503), 30_000);
  expect(forecast.limitedMs(100)).toBe(30_000);
  forecast.deferred(at(40_060, 429), 20_000 - 61);
  expect(forecast.limitedMs(100)).toBe(30_000);
  hear(forecast, 60_000, 20);
  forecast.deferred(at(70_059, 429), 10_000);
  expect(forecast.limitedMs(20)).toBeCloseTo(30_000 + 50_000, -1);
});

test("the tester's own limit is told before anything is sent", () => {
  const { forecast, said } = forecastWith({ maxRps: 2 });
  forecast.start();
  expect(said).toEqual([
    expect.stringMatching(/^CONFORMANCE_MAX_RPS lets about 120 requests a minute through: .* takes 13 min/),
  ]);
});

test('a part of the requirements takes a part of the time', () => {
  const { forecast, said } = forecastWith({ share: 0.1 });
  hear(forecast, 0, 60);
  forecast.deferred(at(60, 429), 59_939);
  expect(said).toEqual([]);
});

test('a pause that outlasts the run is told at once, with the time that would do', () => {
  const { forecast, said } = forecastWith();
  hear(forecast, 0, 5);
  forecast.deferred(at(5, 429), 60 * MINUTES);
  forecast.deferred(at(7, 429), 60 * MINUTES);
  expect(said).toEqual([
    'GET /api/v2/tagging answered 429 and asks for a pause that ends after the run. Such requests are left undecided. Raise the limit of the target for this account, or set CONFORMANCE_MAX_TIME_S to 4321 or more.',
  ]);
  expect(forecast.limitedMs(0)).toBe(0);
});
