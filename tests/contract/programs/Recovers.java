// The JVM finds null references by faulting: each NullPointerException of
// compiled code is a SIGSEGV that its handler turns into an exception.
public class Recovers {
    static Recovers[] none = new Recovers[1];
    int value;

    static int look(int at) {
        try {
            return none[at].value;
        } catch (NullPointerException expected) {
            return 1;
        }
    }

    public static void main(String[] words) throws Exception {
        int[] sums = new int[4];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 4; i++) {
            final int mine = i;
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 5000; k++) sums[mine] += look(0);
            });
            threads[i].start();
        }
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            threads[i].join();
            sum += sums[i];
        }
        System.out.println("caught " + sum);
        System.gc();
        System.exit(sum == 20000 ? 5 : 6);
    }
}
