/* Sends its only message, and gets the acknowledgement, as late as its way of ending allows. */
#include "ends.h"

static char left_buffer[64], right_buffer[64];
static struct end left, right;
static const char *how;

static void send_last(void)
{
	exchange(&left, &right);
	puts("sent");
	fflush(stdout);
}

static void handler(void)
{
	if (!strcmp(how, "handler"))
		send_last();
}

__attribute__((destructor)) static void destructor(void)
{
	if (!strcmp(how, "destructor"))
		send_last();
}

int main(int argc, char **argv)
{
	how = argc > 1 ? argv[1] : "return";
	/* Before the device is opened: the handler registered last is called first. */
	atexit(handler);
	struct ibv_context *context = open_first();
	left = make_end(context, left_buffer, sizeof(left_buffer));
	right = make_end(context, right_buffer, sizeof(right_buffer));
	connect_ends(&left, &right);
	if (!strcmp(how, "return") || !strcmp(how, "quick_exit"))
		send_last();
	if (!strcmp(how, "quick_exit"))
		quick_exit(0);
	return 0;
}
